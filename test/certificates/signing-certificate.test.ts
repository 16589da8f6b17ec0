import { X509Certificate } from "node:crypto";
import { expect } from "chai";
import { describe, it } from "mocha";
import { toPkcs12, issueChain } from "../support/certificates.js";
import { newCaller } from "../support/caller.js";
import { useService } from "../support/service.js";
import { writeFile } from "node:fs/promises";

describe("x", () => {
  const service = useService();
  it("works", async () => {
    const caller = await newCaller(service);
    const { root, intermediate, signer } = issueChain();
    const pkcs12 = await toPkcs12(signer, intermediate, root);
    await writeFile("/tmp/pades/x.p12", pkcs12);
    const r = await caller.put("/api/signing-certificate", { pkcs12: pkcs12.toString("base64"), password: "secret" });
    console.log(r.status, await r.text());
    const e = await caller.post("/api/export", { definition: { schema: [{ id: "root", fields: [] }], components: [{ type: "text", text: "Hi" }], pdf: { sign: true } }, templateType: "document", formats: ["pdf"], data: {} });
    const j: any = await e.json();
    console.log(e.status, JSON.stringify(j).slice(0, 500));
    const bytes = Buffer.from(await (await fetch(j.pdf.url)).arrayBuffer());
    await writeFile("/tmp/pades/x.pdf", bytes);
  });
});
