import { expect } from "chai";
import { describe, it } from "mocha";
import { PermissionFlag } from "unpdf/pdfjs";
import { pdfFacts, ofPdf, usePdfs } from "../../support/read-pdf.js";

async function isRejected(bytes: Buffer, password?: string): Promise<boolean> {
  return pdfFacts(bytes, password).then(
    () => false,
    (error: Error) => error.name === "PasswordException",
  );
}

describe("a PDF with a password", () => {
  const { pdf, rejection } = usePdfs();
  const user = "schlüssel 1";
  const owner = "owner-2";

  it("opens with the user and the owner password, and with no other", async () => {
    const bytes = await pdf({}, ofPdf({ password: { user, owner } }));
    for (const password of [user, owner])
      expect((await pdfFacts(bytes, password)).pages).to.eql(["Hello Ada"]);
    expect(await isRejected(bytes)).to.equal(true);
    expect(await isRejected(bytes, "schlüssel 2")).to.equal(true);
    expect(bytes.includes("/AESV3")).to.equal(true);
    expect(bytes.includes("Hello Ada")).to.equal(false);
  });

  it("allows everything except the permissions that are left out", async () => {
    const password = { user, permissions: ["print"] };
    const bytes = await pdf({}, ofPdf({ password }));
    const { permissions } = await pdfFacts(bytes, user);
    expect(permissions).to.include(PermissionFlag.PRINT);
    expect(permissions).to.include(PermissionFlag.COPY_FOR_ACCESSIBILITY);
    expect(permissions).not.to.include(PermissionFlag.COPY);
    expect(permissions).not.to.include(PermissionFlag.MODIFY_CONTENTS);
    const all = await pdf({}, ofPdf({ password: { user } }));
    const may = (await pdfFacts(all, user)).permissions;
    expect(may).to.include.members([
      PermissionFlag.COPY,
      PermissionFlag.MODIFY_CONTENTS,
      PermissionFlag.ASSEMBLE,
    ]);
  });

  it("opens without a password when only an owner password is set", async () => {
    const password = { owner, permissions: [] };
    const bytes = await pdf({}, ofPdf({ password }));
    const { pages, permissions } = await pdfFacts(bytes);
    expect(pages).to.eql(["Hello Ada"]);
    expect(permissions).not.to.include(PermissionFlag.PRINT);
  });

  for (const password of [
    {},
    { user: "" },
    { user: "ü".repeat(64) },
    { user, permissions: ["fly"] },
    { user, length: 40 },
  ])
    it(`is rejected with ${JSON.stringify(password)}, without repeating the password`, async () => {
      const error = await rejection({}, ofPdf({ password }));
      expect(error).to.contain("$.renderOptions.pdf.password");
      expect(error).not.to.contain(user).and.not.contain("üü");
    });

  it("is rejected in a template's definition, since it would be stored", async () => {
    const thrown = await pdf({ pdf: { password: { user } } }).catch(String);
    expect(String(thrown)).to.match(/password/);
  });
});
