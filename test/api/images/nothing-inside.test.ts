import { expect } from "chai";
import { describe, it } from "mocha";
import * as tokens from "../../../core/app/tokens.js";
import { useGallery, useImageServer } from "../../support/image-gallery.js";
import { useService } from "../../support/service.js";

describe("images on private networks", () => {
  const service = useService();
  const gallery = useGallery(service);
  const canary = useImageServer({});

  it("are rejected without a request", async () => {
    const { port } = new URL(canary.at("/"));
    const sources = [
      canary.at("/a.png"),
      `http://localhost:${port}/a.png`,
      `https://2130706433:${port}/a.png`,
      `https://[::ffff:127.0.0.1]:${port}/a.png`,
      `${service.url}/health`,
      "http://169.254.169.254/latest/meta-data/",
      "https://168.63.129.16/machine",
      "https://10.0.0.1/logo.png",
    ];
    const { failed, shown } = await gallery.now.show(...sources);
    expect(failed.map(({ source }) => source)).to.have.members(sources);
    for (const { reason } of failed)
      expect(reason).to.contain("PLATEN_ALLOW_PRIVATE_NETWORKS");
    expect(shown).to.have.length(sources.length);
    expect(canary.requests).to.deep.equal([]);
  });
});

describe("a service that is reachable by its own host name", () => {
  const service = useService({
    config: { baseUrl: "https://documents.example.com" },
  });

  it("does not call itself", () => {
    const outbound = service.container.resolve(tokens.OUTBOUND);
    expect(() =>
      outbound.check("https://documents.example.com/files/a.png"),
    ).to.throw("this service itself");
  });
});
