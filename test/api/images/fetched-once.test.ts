import { expect } from "chai";
import { describe, it } from "mocha";
import {
  fetchingFromLoopback,
  parseImage,
  ImageGallery,
  plain,
  useGallery,
  useImageServer,
} from "../../support/image-gallery.js";
import { useService } from "../../support/service.js";

const png = await plain("teal").png().toBuffer();
const file = (control?: string) => ({
  body: png,
  headers: control === undefined ? {} : { "cache-control": control },
});

describe("a remote image", () => {
  const service = useService(fetchingFromLoopback());
  const gallery = useGallery(service);
  const server = useImageServer({
    "/silent.png": file(),
    "/together.png": file(),
    "/private.png": file(),
    "/kept.png": file("max-age=3600"),
    "/never.png": file("no-store"),
    "/asked.png": (request, response) => {
      const isKnown = request.headers["if-none-match"] === '"1"';
      response.writeHead(isKnown ? 304 : 200, {
        etag: '"1"',
        "cache-control": "no-cache",
      });
      response.end(isKnown ? undefined : png);
    },
  });
  const countRequests = (path: string) =>
    server.requests.filter((one) => one === path).length;

  for (const [path, times] of [
    ["/silent.png", 1],
    ["/kept.png", 1],
    ["/never.png", 3],
    ["/asked.png", 3],
  ] as const)
    it(`is cached as its server specifies: ${path}`, async () => {
      for (let document = 0; document < 3; document += 1) {
        const { shown, failed } = await gallery.now.show(server.at(path));
        expect(failed).to.deep.equal([]);
        expect(parseImage(shown[0])).to.deep.equal({
          type: "image/png",
          bytes: png,
        });
      }
      expect(countRequests(path)).to.equal(times);
    });

  it("is fetched once for concurrent documents and for all its occurrences", async () => {
    const url = server.at("/together.png");
    const documents = [1, 2, 3, 4].map(() => gallery.now.show(url, url));
    for (const { shown } of await Promise.all(documents))
      expect(shown).to.have.length(2);
    expect(countRequests("/together.png")).to.equal(1);
  });

  it("is fetched separately for each organization", async () => {
    await gallery.now.show(server.at("/private.png"));
    const other = await ImageGallery.open(service);
    await other.show(server.at("/private.png"));
    expect(countRequests("/private.png")).to.equal(2);
  });
});
