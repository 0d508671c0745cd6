# Two stages: the first has what builds, the second only what runs. Nothing is compiled: binaries come inside the packages.
# The base is an index for amd64, arm64 and ppc64le with Node 24.19.0, of 3 August 2026, as github.com/docker-library/repo-info lists it.
FROM node:24-slim@sha256:cd84903a12dbd26b46f1f3b8144a2568c41c5d37ddd0c7a80a34c7a19786b35f AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
# Of the packages, those that the build does not contain: the list of the packed file, in the versions of the lock file.
RUN npm run build && node scripts/sbom.mjs && node scripts/packed-package.mjs >packed.json && mv packed.json package.json && npm prune --omit=dev --ignore-scripts

FROM node:24-slim@sha256:cd84903a12dbd26b46f1f3b8144a2568c41c5d37ddd0c7a80a34c7a19786b35f
# A backup a day, in the volume: BACKUP_DIR= (empty) turns them off, BACKUP_S3_URL copies them elsewhere.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data BACKUP_DIR=/data/backups
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/views views
COPY --from=build /app/public public
COPY --from=build /app/domain/safes/sample domain/safes/sample
COPY --from=build /app/domain/oauth/clients/known domain/oauth/clients/known
COPY --from=build /app/engine/graph/text/languages/words.json engine/graph/text/languages/words.json
COPY --from=build /app/engine/formats/office/character-maps.json engine/formats/office/character-maps.json
RUN mkdir /data && chown node:node /data && ln -s /app/dist/cli.js /usr/local/bin/svc
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=2s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# node itself is process 1, so that SIGTERM reaches the service and it drains.
CMD ["node", "dist/server.js"]
