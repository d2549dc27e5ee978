"""The face: a full-screen terminal session. The only folder that imports textual."""
