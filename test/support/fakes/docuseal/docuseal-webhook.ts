import { createHmac, randomBytes } from "node:crypto";

export interface SentNotice {
  type: string;
  body: string;
  headers: Record<string, string>;
  /** What the receiver answered; null when there was none. */
  status: number | null;
}

/** DocuSeal's webhook: signed by its scheme, only form.* unless it is told otherwise, without ids. */
export class DocusealWebhook {
  readonly secret = `whsec_${randomBytes(24).toString("base64url")}`;
  /** Where events go; nowhere when null. */
  url: string | null = null;
  /** Which events are subscribed to. */
  events = /^form\./;
  /** Everything that was sent, to be looked at or sent again. */
  readonly sent: SentNotice[] = [];

  constructor(private readonly now: () => Date) {}

  /** As DocuSeal signs it now, with this or another secret. */
  headersOf(
    body: string,
    {
      secret = this.secret,
      at = this.now(),
    }: { secret?: string; at?: Date } = {},
  ): Record<string, string> {
    const seconds = Math.floor(at.getTime() / 1000);
    const hmac = createHmac("sha256", secret).update(`${seconds}.${body}`);
    return {
      "content-type": "application/json",
      "x-docuseal-signature": `${seconds}.${hmac.digest("hex")}`,
    };
  }

  async tell(type: string, data: object): Promise<void> {
    if (this.url === null || !this.events.test(type)) return;
    const timestamp = this.now().toISOString();
    const body = JSON.stringify({ event_type: type, timestamp, data });
    const notice = { type, body, headers: this.headersOf(body), status: null };
    this.sent.push(notice);
    await this.send(notice);
  }

  /** Sends it, or sends it again. */
  async send(notice: SentNotice): Promise<void> {
    const { body, headers } = notice;
    const sent = fetch(this.url ?? "", { method: "POST", body, headers });
    notice.status = await sent.then(
      (response) => response.status,
      () => null,
    );
  }
}
