# The image that scraper programs run in. Built by `scrapewright image build`; the tag is a digest of this file and of harness/.
# Run with: --network none --read-only --cap-drop ALL --security-opt no-new-privileges, stdin and stdout being the only way in or out.
FROM python:3.13-slim

RUN pip install --no-cache-dir --no-compile \
      requests==2.34.2 beautifulsoup4==4.15.0 lxml==6.1.3 numpy==2.4.6 pandas==3.1.1

COPY harness /harness

USER 1000:1000
WORKDIR /tmp
ENTRYPOINT ["python3", "-I", "-S", "-B", "/harness/__main__.py"]
