import { expect } from "chai";
import { describe, it } from "mocha";
import { getApiUrl, getSigningUrl } from "../../../plugins/docuseal/plugin.js";

const apiKey = "a key";

describe("the base URLs of DocuSeal", () => {
  for (const [url, api, signing] of [
    [undefined, "https://api.docuseal.com", "https://docuseal.com/s/x"],
    [
      "https://api.docuseal.eu/",
      "https://api.docuseal.eu",
      "https://docuseal.eu/s/x",
    ],
    [
      "https://sign.example.com",
      "https://sign.example.com/api",
      "https://sign.example.com/s/x",
    ],
    [
      "https://sign.example.com/api/",
      "https://sign.example.com/api",
      "https://sign.example.com/s/x",
    ],
    [
      "http://10.0.0.7:3001",
      "http://10.0.0.7:3001/api",
      "http://10.0.0.7:3001/s/x",
    ],
  ] as const)
    it(`are ${api} and ${signing} for ${url ?? "no setting"}`, () => {
      const credentials = { apiKey, ...(url !== undefined && { url }) };
      expect(getApiUrl(credentials)).to.equal(api);
      expect(getSigningUrl(credentials, "x")).to.equal(signing);
    });
});
