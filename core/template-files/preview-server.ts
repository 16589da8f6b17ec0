import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { PassThrough } from "node:stream";
import { Router } from "@koa/router";
import { create as createDisposition } from "content-disposition";
import Koa from "koa";
import { clock } from "../lib/clock.js";
import { PlatenError } from "../plugin-api/index.js";
import { getPackageInfo } from "../lib/package-info.js";
import type { LocalPrinter } from "./local-printer.js";
import { type PreviewResult, PreviewSession } from "./preview-session.js";

export interface PreviewSettings {
  /** The templates folder. */
  folder: string;
  /** 0: any free port. */
  port: number;
  /** What functions such as TODAY() take for the present time; null: the present time. */
  now: Date | null;
  onResult: (result: PreviewResult) => void;
}

/** Own scripts, styles, fonts and frames alone. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
  "frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
/** A document runs nothing and loads nothing; its images and fonts are inside. */
const documentPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'; " +
  "frame-ancestors 'self'; sandbox allow-same-origin";

const pageFolder = join(import.meta.dirname, "preview");
const pageFiles: Readonly<Record<string, string>> = {
  "/": join(pageFolder, "index.html"),
  "/preview.js": join(pageFolder, "preview.js"),
  "/preview.css": join(pageFolder, "preview.css"),
  "/icon.svg": join(pageFolder, "icon.svg"),
};
const fontFiles = ["400Regular.ttf", "500Medium.ttf", "600SemiBold.ttf"];

const MAX_SCALE = 4;
const KEEP_ALIVE_MS = 15_000;

/**
 * Serves previews of a templates folder on this machine.
 * @throws PlatenError `invalid_request` for a folder without templates or a port that is in use
 */
export async function startPreviewServer(
  printer: LocalPrinter,
  settings: PreviewSettings,
) {
  const streams = new Set<EventStream>();
  const broadcast = (event: string, data: unknown) => {
    for (const stream of streams) stream.send(event, data);
  };
  const server = createServer();
  const url = await listen(server, settings.port);
  let session: PreviewSession;
  try {
    session = await PreviewSession.open(
      printer,
      settings.folder,
      {
        onStatus: (status) => broadcast("status", status),
        onPreview: (view) => {
          for (const stream of streams)
            if (stream.shows(view)) stream.send("preview", view);
        },
        onResult: settings.onResult,
      },
      settings.now,
    );
  } catch (error) {
    server.close();
    throw error;
  }
  const app = createApp(session, streams, new URL(url).port);
  const handle = app.callback();
  server.on("request", (request, response) => {
    void handle(request, response);
  });
  return {
    url,
    close: async () => {
      for (const stream of streams) stream.end();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      await session.close();
    },
  };
}

async function listen(
  server: ReturnType<typeof createServer>,
  port: number,
): Promise<string> {
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : "";
    const reason =
      code === "EADDRINUSE" ? "is in use" : `cannot be used (${String(code)})`;
    throw new PlatenError(
      "invalid_request",
      `Port ${port} ${reason}. Choose another one with --port, or --port 0 for any free port.`,
      { cause },
    );
  }
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : port;
  return `http://127.0.0.1:${bound}`;
}

/** The events of one page, which shows one preview. */
class EventStream {
  readonly body = new PassThrough();
  readonly #timer = clock.every(KEEP_ALIVE_MS, () =>
    this.body.write(": keep-alive\n\n"),
  );

  constructor(
    private readonly selection: { folder: string; sample: string },
    onEnd: () => void,
  ) {
    this.body.once("close", () => {
      this.#timer.cancel();
      onEnd();
    });
  }

  shows({ folder, sample }: { folder: string; sample: string }): boolean {
    return this.selection.folder === folder && this.selection.sample === sample;
  }

  send(event: string, data: unknown): void {
    this.body.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  end(): void {
    this.body.destroy();
  }
}

function createApp(
  session: PreviewSession,
  streams: Set<EventStream>,
  port: string,
): Koa {
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx, next) => {
    ctx.set({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
      "content-security-policy": pagePolicy,
    });
    // A page elsewhere must not read templates through a host name that leads here.
    if (![`127.0.0.1:${port}`, `localhost:${port}`].includes(ctx.host)) {
      ctx.status = 421;
      ctx.body = "This address is served as 127.0.0.1 and localhost only.";
      return;
    }
    try {
      await next();
    } catch (error) {
      const isOurs = error instanceof PlatenError;
      ctx.status = isOurs ? error.status : 500;
      ctx.body = { error: error instanceof Error ? error.message : "" };
    }
  });
  const router = new Router();
  for (const [path, file] of Object.entries(pageFiles))
    router.get(path, async (ctx) => {
      ctx.type = extname(file);
      ctx.body = await readFile(file);
    });
  const fonts = join(getPackageInfo().folder, "fonts", "inter");
  for (const name of fontFiles)
    router.get(`/fonts/${name}`, async (ctx) => {
      ctx.set("cache-control", "max-age=86400");
      ctx.type = "font/ttf";
      ctx.body = await readFile(join(fonts, name));
    });

  router.get("/api/status", (ctx) => {
    ctx.body = session.status();
  });

  // The preview is watched while the stream is open.
  router.get("/api/events/:folder/:sample", async (ctx) => {
    const { folder, sample } = readParams(ctx.params);
    const view = await session.show(folder, sample);
    const stream = new EventStream({ folder, sample }, () => {
      streams.delete(stream);
      session.hide(folder, sample);
    });
    streams.add(stream);
    ctx.type = "text/event-stream";
    ctx.body = stream.body;
    stream.send("status", session.status());
    stream.send("preview", view);
  });

  // The revision in an address is that of the preview which the page shows: it only keeps browsers from reusing another.
  router.get("/preview/:folder/:sample/:revision/page-:page", async (ctx) => {
    const { folder, sample } = readParams(ctx.params);
    const page = Number(ctx.params["page"]);
    const scale = Number(ctx.query["scale"] ?? 1);
    const isValid = Number.isInteger(page) && page > 0;
    if (!isValid || !(scale > 0 && scale <= MAX_SCALE))
      throw new PlatenError("invalid_request", "Invalid page or scale.");
    ctx.type = "image/png";
    ctx.body = await session.image(folder, sample, page, scale);
  });

  router.get("/preview/:folder/:sample/:revision/html", async (ctx) => {
    const { folder, sample } = readParams(ctx.params);
    ctx.set("content-security-policy", documentPolicy);
    ctx.type = "text/html; charset=utf-8";
    ctx.body = await session.html(folder, sample);
  });

  router.get("/preview/:folder/:sample/pdf", async (ctx) => {
    const { folder, sample } = readParams(ctx.params);
    const proof = await session.proof(folder, sample);
    ctx.set("content-security-policy", "default-src 'none'");
    ctx.set(
      "content-disposition",
      createDisposition(`${folder}.pdf`, { type: "inline" }),
    );
    ctx.type = "application/pdf";
    ctx.body = await proof.pdf();
  });
  app.use(router.routes());
  return app;
}

function readParams(params: Record<string, string | undefined>): {
  folder: string;
  sample: string;
} {
  const { folder = "", sample = "" } = params;
  return { folder, sample };
}
