# Two stages: the first has the compiler that better-sqlite3 may need, the second only what runs.
FROM node:22-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts scripts
RUN npm ci --ignore-scripts && npm rebuild better-sqlite3
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:22-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/views views
COPY --from=build /app/public public
COPY --from=build /app/sample sample
COPY --from=build /app/known-clients known-clients
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
# node itself is process 1, so that SIGTERM reaches the service and it drains.
CMD ["node", "dist/server.js"]
