# One image for the three roles: `serve rest`, `serve auth`, `serve registry`; all of them in one process with `start`.
# It holds no application: mount a folder with a deploy.json at /application (docs/operations.md).

# Dependencies, with the Node that package.json pins. npm and the Node of this stage stay behind.
FROM node:24-trixie-slim AS dependencies
WORKDIR /portico
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
 && mkdir /runtime \
 && cp -L node_modules/.bin/node /runtime/node \
 && rm -rf node_modules/node-linux-* node_modules/.bin node_modules/.package-lock.json \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
 && /runtime/node --version

FROM debian:trixie-slim
LABEL org.opencontainers.image.title="Portico"

# Numbers, so that a cluster can tell that this is not root.
RUN groupadd --system --gid 10001 portico \
 && useradd --system --uid 10001 --gid portico --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin portico \
 && install -d -o portico -g portico -m 0700 /data \
 && install -d -m 0755 /application

COPY --from=dependencies /runtime/node /usr/local/bin/node
WORKDIR /portico
COPY --from=dependencies /portico/node_modules ./node_modules
COPY package.json ./
COPY bin ./bin
COPY shared ./shared
COPY services ./services

ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8888 \
    PORTICO_APP=/application \
    PORTICO_DATA=/data

# Nothing else is written but temporary files in /tmp: run it with a read-only file system.
VOLUME /data
USER 10001:10001
EXPOSE 8888
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/portico/bin/portico.js"]
CMD ["start"]
