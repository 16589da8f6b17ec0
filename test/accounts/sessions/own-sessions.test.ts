import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { reader } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { newPerson, newVisitor, signInAs } from "../../support/studio.js";

const sessions = reader(
  z.array(
    z.strictObject({
      id: z.string(),
      userAgent: z.string(),
      createdAt: z.iso.datetime(),
      lastSeenAt: z.iso.datetime(),
      expiresAt: z.iso.datetime(),
      isCurrent: z.boolean(),
    }),
  ),
);

describe("a user's sessions", () => {
  const service = useService();

  it("are listed, and one request ends all others", async () => {
    const person = await newPerson(service, "viewer");
    const [here, there] = [
      await signInAs(service, person),
      await signInAs(service, person),
    ];
    const all = await sessions(await here.get("/studio/api/sessions"));
    expect(all.map(({ isCurrent }) => isCurrent)).to.have.members([
      true,
      false,
    ]);
    const ended = await here.send("DELETE", "/studio/api/sessions");
    expect(ended.status).to.equal(204);
    expect((await there.get("/studio/api/me")).status).to.equal(401);
    expect((await here.get("/studio/api/me")).status).to.equal(200);
  });

  it("end one by one, without access to those of other users", async () => {
    const person = await newPerson(service, "viewer");
    const here = await signInAs(service, person);
    const stranger = await newVisitor(service);
    const [own] = await sessions(await here.get("/studio/api/sessions"));
    const path = `/studio/api/sessions/${own?.id}`;
    expect((await stranger.send("DELETE", path)).status).to.equal(404);
    expect((await here.send("DELETE", path)).status).to.equal(204);
    expect((await here.get("/api/templates")).status).to.equal(401);
  });

  it("end when the user signs out, which deletes the cookie too", async () => {
    const here = await newVisitor(service);
    const out = await here.send("POST", "/studio/api/sign-out");
    expect(out.headers.getSetCookie()[0]).to.match(/platen_session=;.*1970/);
    expect((await here.get("/studio/api/me")).status).to.equal(401);
  });

  for (const [why, column] of [
    ["when they expire", "expires_at"],
    ["when they are idle", "last_seen_at"],
  ] as const)
    it(`end ${why}`, async () => {
      const here = await newVisitor(service);
      await service.store.unitOfWork.run((tx) =>
        tx.query(
          `UPDATE session SET ${column} = '2020-01-01 00:00:00.000' WHERE user_id = ?`,
          [here.userId],
        ),
      );
      expect((await here.get("/studio/api/me")).status).to.equal(401);
    });
});
