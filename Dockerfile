# The service with its own browser and fonts; data lives in /data. Build: docker build -t platen .
FROM node:24-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
# V8's young generation stops at 32 MB, as before Node 24: 90 MB less at the same speed.
ENV NODE_OPTIONS=--max-semi-space-size=16
ENV NODE_ENV=production PLATEN_HOST=0.0.0.0 PLATEN_DATA=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/fonts ./fonts
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/core/cli/main.js", "start"]
