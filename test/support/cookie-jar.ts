/** A browser without scripts: keeps cookies by host, follows redirects one at a time. */
export class CookieJar {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** The answer, whatever it is; redirects are not followed. */
  async fetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const { host } = new URL(url);
    const mine = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, mine);
    const cookie = [...mine].map(([name, value]) => `${name}=${value}`);
    const response = await fetch(url, {
      redirect: "manual",
      ...init,
      headers: { cookie: cookie.join("; ") },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      if (value === "") mine.delete(name);
      else mine.set(name, value);
    }
    return response;
  }

  /** Follows redirects until there is a page, or the next address is `until`. */
  async follow(
    url: string | URL,
    until: (next: URL) => boolean = () => false,
  ): Promise<{ url: URL; response: Response }> {
    let here = new URL(url);
    for (;;) {
      const response = await this.fetch(here);
      const location = response.headers.get("location");
      if (location === null) return { url: here, response };
      here = new URL(location, here);
      if (until(here)) return { url: here, response };
    }
  }
}
