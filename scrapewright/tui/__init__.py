"""The workbench: a full-screen terminal application. The only folder that imports textual."""
