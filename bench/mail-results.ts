import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createTransport } from "nodemailer";
import { rounded, UsageWatch } from "./measurement.js";
import { isWanted } from "./options.js";
import type { BenchResult, Group } from "./scenario.js";
import { ApiClient, DataFolder, startProcess } from "./service.js";

const COUNT = 300;
const ATTACHMENT_BYTES = 50_000;
/** As many connections as a mail server gets from the service. */
const CONNECTIONS = 5;
const LOOK_MS = 20;

/**
 * Mails with an attachment of 50 kB each. The documents are rendered first: the server greets nobody before, so that only
 * the sending is measured.
 */
export const MAILS: Group = {
  names: ["mails"],
  results: async () => (isWanted("mails") ? measure() : []),
};

async function measure(): Promise<BenchResult[]> {
  const rawMs = await sendAlone();
  const server = await MailServer.start();
  const folder = await DataFolder.make();
  const service = await startProcess("all", {
    PLATEN_DATA: folder.path,
    PLATEN_SMTP_URL: server.url,
    PLATEN_MAIL_FROM: "Shop <shop@example.com>",
  });
  const client = new ApiClient(service.url, await folder.key());
  try {
    const templateId = await createTemplate(client);
    const padding = "x".repeat(ATTACHMENT_BYTES);
    const batch: { batchId: string } = JSON.parse(
      (
        await client.post("/api/export/batch", {
          templateId,
          formats: ["html"],
          items: Array.from({ length: COUNT }, (_, at) => ({
            data: { padding, email: `customer-${at}@example.com` },
          })),
          deliver: [
            {
              to: "{{root.email}}",
              subject: "Your invoice",
              body: "Please find it attached.",
            },
          ],
        })
      ).toString(),
    );
    await waitUntilRendered(client, batch.batchId);
    const watch = await UsageWatch.start([service.pid]);
    const ms = await server.receive(COUNT);
    const { cpuMs, peakPssMb } = await watch.end();
    return [
      {
        name: "mails-nodemailer",
        docsPerSecond: rounded(COUNT / (rawMs / 1000)),
        seconds: rounded(rawMs / 1000, 2),
      },
      {
        name: "mails",
        docsPerSecond: rounded(COUNT / (ms / 1000)),
        cpuMsPerDoc: rounded(cpuMs / COUNT, 2),
        peakPssMb: rounded(peakPssMb),
        seconds: rounded(ms / 1000, 2),
        ofLimit: rounded(ms / rawMs, 1),
      },
    ];
  } finally {
    client.close();
    await service.stop();
    await folder.remove();
    server.stop();
  }
}

async function createTemplate(client: ApiClient): Promise<string> {
  const reply = await client.post("/api/templates", {
    name: "Mails",
    definition: {
      schema: [
        {
          id: "root",
          fields: [
            { name: "email", type: "String" },
            { name: "padding", type: "String" },
          ],
        },
      ],
      components: [{ type: "text", text: "{{ root.padding }}" }],
    },
  });
  const { id }: { id: string } = JSON.parse(reply.toString());
  return id;
}

async function waitUntilRendered(
  client: ApiClient,
  batchId: string,
): Promise<void> {
  for (;;) {
    const reply = await client.get(`/api/batches/${batchId}?pageSize=1`);
    const { status }: { status: string } = JSON.parse(reply.toString());
    if (status === "completed") return;
    await pause(LOOK_MS);
  }
}

/** The limit: nodemailer's own pool, with the same mails and as many connections. */
async function sendAlone(): Promise<number> {
  const server = await MailServer.start();
  const { port } = new URL(server.url);
  const pool = createTransport({
    pool: true,
    host: "127.0.0.1",
    port: Number(port),
    maxConnections: CONNECTIONS,
    maxMessages: Number.POSITIVE_INFINITY,
    ignoreTLS: true,
  });
  const content = Buffer.alloc(ATTACHMENT_BYTES, "x");
  const received = server.receive(COUNT);
  await Promise.all(
    Array.from({ length: COUNT }, (_, at) =>
      pool.sendMail({
        from: "shop@example.com",
        to: `customer-${at}@example.com`,
        subject: "Your invoice",
        text: "Please find it attached.",
        attachments: [{ filename: "invoice.html", content }],
      }),
    ),
  );
  const ms = await received;
  pool.close();
  server.stop();
  return ms;
}

/** See mail-server.ts. */
class MailServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(): Promise<MailServer> {
    const script = fileURLToPath(new URL("mail-server.ts", import.meta.url));
    const child = fork(script, { execArgv: ["--import", "tsx"] });
    const [said]: { port: number }[] = await once(child, "message");
    return new MailServer(child, `smtp://127.0.0.1:${said?.port}`);
  }

  /** Begins to greet. @returns how long it takes until so many mails are there, in ms. */
  receive(count: number): Promise<number> {
    const started = performance.now();
    return new Promise((resolve) => {
      this.child.on("message", (message: { count: number }) => {
        if (message.count === count) resolve(performance.now() - started);
      });
      this.child.send("open");
    });
  }

  stop(): void {
    this.child.disconnect();
  }
}
