# The image that scraper programs run in. Built by `scrapewright image build`; its tag is a digest of this file, of
# pins.txt and of harness/. A container of it is started with no network, a read-only root, no capabilities and an
# unprivileged user, and with stdin and stdout as the only way in or out.
FROM python:3.13-slim AS packages
LABEL scrapewright.stage=packages
# Where pip finds its packages, if that is said at build time. This stage is thrown away: none of it stays in the image.
ARG PIP_INDEX_URL
ARG PIP_EXTRA_INDEX_URL
ARG PIP_TRUSTED_HOST
ARG PIP_DEFAULT_TIMEOUT
COPY pins.txt /pins.txt
RUN pip install --no-cache-dir --no-compile --no-deps --only-binary :all: --target /site -r /pins.txt \
 && rm -rf /site/bin /site/pandas/tests
# Compiled here, since a container can't keep compiled files; by content, since layers round times.
RUN python3 -m compileall -q -j 0 --invalidation-mode unchecked-hash /site

FROM python:3.13-slim
COPY --from=packages /site /site
COPY harness /harness
RUN python3 -m compileall -q --invalidation-mode unchecked-hash /harness \
 && python3 -I -S -B -c "import sys; sys.path.append('/site'); import requests, bs4, lxml.html, numpy, pandas"
USER 1000:1000
WORKDIR /tmp
ENTRYPOINT ["python3", "-I", "-S", "-B", "/harness/__main__.py", "{\"site\": [\"/site\"]}"]
