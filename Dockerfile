# The image holds the one binary and ffmpeg, which makes recordings play in every
# browser and without which videos of members' devices are refused. It has no PostgreSQL, so that
# DATABASE_URL must be given. A container is a public site, so that SMTP_URL, MAIL_FROM, CONTACT
# and IMPRINT must be given too. docs/operating.md lists the variables.

FROM node:24-bookworm-slim AS app
WORKDIR /src/pwa
COPY pwa/package.json pwa/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY pwa ./
COPY api/pages/site /src/api/pages/site
RUN npm run build

FROM golang:1.26-bookworm AS binary
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=app /src/pwa/dist pwa/dist
ARG VERSION=dev
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags "-s -w -X main.version=$VERSION" -o /heartward . \
 && install -d -o 10001 -g 10001 -m 0700 /data

FROM debian:bookworm-slim
# Debian's security updates of ffmpeg 5.1 and no other version, with which the tests did not run.
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates 'ffmpeg=7:5.1.*' tzdata \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin heartward
COPY --from=binary /heartward /usr/local/bin/heartward
COPY --from=binary --chown=10001:10001 /data /data
USER 10001:10001
WORKDIR /data
ENV DATA_DIR=/data HOST=0.0.0.0 PORT=8080
EXPOSE 8080
STOPSIGNAL SIGTERM
ENTRYPOINT ["heartward"]
CMD ["serve"]
