# The image that scraper programs run in. Built by `scrapewright image build`; its tag is a digest of this file, of
# pins.txt and of harness/. A container of it is started with no network, a read-only root, no capabilities and an
# unprivileged user, and with stdin and stdout as the only way in or out.
FROM python:3.13-slim AS packages
# Whose build it is, so that what is left of one that was broken off is found and nobody else's is touched.
ARG BUILD
ARG OWNER
LABEL scrapewright.build=$BUILD scrapewright.owner="$OWNER"
# Where pip finds its packages, if that is said at build time. This stage is thrown away: none of it stays in the image.
ARG PIP_INDEX_URL
ARG PIP_EXTRA_INDEX_URL
ARG PIP_TRUSTED_HOST
ARG PIP_DEFAULT_TIMEOUT
COPY pins.txt /pins.txt
RUN pip install --no-cache-dir --no-compile --no-deps --only-binary :all: --target /site -r /pins.txt \
 && rm -rf /site/bin /site/pandas/tests
COPY harness /harness
# Compiled here, since a container can't keep compiled files; by content, since layers round times.
RUN python3 -m compileall -q -j 0 --invalidation-mode unchecked-hash /site /harness
# What the image is to have and nothing else: no shell, no pip, no users, no settings. As in the local sandbox, a program
# finds the interpreter, its standard library and the packages.
RUN set -eu; mkdir -m 1777 -p /image/tmp; mkdir -p /image/usr/bin; \
    python=$(readlink -f "$(command -v python3)"); \
    library=$(python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))'); \
    cp -a --parents "$python" "$library" /usr/bin/env /usr/lib/*-linux-gnu /etc/ld.so.cache /image; \
    for path in /lib /lib64 /usr/lib64 /usr/share/zoneinfo /usr/local/lib/*.so* /usr/lib/python3; do \
      if [ -e "$path" ]; then cp -a --parents "$path" /image; fi; \
    done; \
    rm -rf /image/usr/lib/python3/dist-packages "/image$library/site-packages" "/image$library/ensurepip" \
      "/image$library/idlelib" "/image$library/test" "/image$library/turtledemo"; \
    ln -sf "$python" /image/usr/bin/python3; \
    mv /site /harness /image

FROM scratch
ARG BUILD
LABEL scrapewright.build=$BUILD
COPY --from=packages /image /
RUN ["/usr/bin/python3", "-I", "-S", "-B", "-c", \
     "import sys; sys.path.append('/site'); import requests, bs4, lxml.html, numpy, pandas, ssl, sqlite3, ctypes"]
USER 1000:1000
WORKDIR /tmp
ENTRYPOINT ["/usr/bin/python3", "-I", "-S", "-B", "/harness/__main__.py", "{\"site\": [\"/site\"]}"]
