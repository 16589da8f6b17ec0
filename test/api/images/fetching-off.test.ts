import { expect } from "chai";
import { describe, it } from "mocha";
import {
  fetchingFromLoopback,
  plain,
  useGallery,
  useImageServer,
} from "../../support/image-gallery.js";
import { useService } from "../../support/service.js";

const png = await plain("teal").png().toBuffer();

describe("PLATEN_FETCH_ASSETS=off", () => {
  const service = useService(fetchingFromLoopback({ isFetching: false }));
  const gallery = useGallery(service);
  const server = useImageServer({ "/a.png": { body: png } });

  it("omits images that would be fetched and shows embedded ones", async () => {
    const own = `data:image/png;base64,${png.toString("base64")}`;
    const { failed, shown } = await gallery.now.show(server.at("/a.png"), own);
    expect(failed).to.have.length(1);
    expect(failed[0]?.reason).to.contain("PLATEN_FETCH_ASSETS is off");
    expect(shown[1]).to.equal(own);
    expect(server.requests).to.deep.equal([]);
  });
});
