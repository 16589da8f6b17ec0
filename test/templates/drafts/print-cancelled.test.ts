import { expect } from "chai";
import { describe, it } from "mocha";
import { RENDERER } from "../../../core/app/tokens.js";
import { definitionWithText } from "../../support/draft-client.js";
import { lazyRenderer } from "../../support/renderer.js";
import { useService } from "../../support/service.js";
import { newVisitor } from "../../support/studio.js";

describe("a browser that cancels its request for a print", () => {
  const dropped = new AbortController();
  let end: (reason: string) => void;
  const ended = new Promise<string>((resolve) => (end = resolve));
  const service = useService({
    replace: (container) =>
      container.register(RENDERER, {
        useValue: {
          ...lazyRenderer,
          pdf: ({ deadline }) =>
            new Promise((_resolve, reject) => {
              deadline.signal.addEventListener("abort", () => {
                end(String(deadline.signal.reason));
                reject(deadline.error("printing"));
              });
              dropped.abort();
            }),
        },
      }),
  });

  it("ends the print", async () => {
    const visitor = await newVisitor(service, "editor");
    const response = await fetch(`${service.url}/studio/api/drafts/print`, {
      method: "POST",
      headers: {
        cookie: visitor.cookie,
        "x-platen-app": "studio",
        "content-type": "application/json",
      },
      body: JSON.stringify({ definition: definitionWithText("Hello") }),
      signal: dropped.signal,
    }).catch((error: unknown) => String(error));
    expect(response).to.contain("AbortError");
    expect(await ended).to.contain("client closed the connection");
  });
});
