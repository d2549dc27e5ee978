"""Programs that run between scrapewright and the sandbox, as processes of their own: standard library only.

Started as `python -I -S -B -c BOOT MODULE SPEC [ARGV...]`, with a JSON object as SPEC.
"""
