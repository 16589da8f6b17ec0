import { expect } from "chai";
import { describe, it } from "mocha";
import type { AppRole } from "../../../core/plugin-api/index.js";
import { readError } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { newVisitor, type TestVisitor } from "../../support/studio.js";

type Act = (visitor: TestVisitor, templateId: string) => Promise<Response>;

const actions: [name: string, who: AppRole[], act: Act][] = [
  [
    "reads templates",
    ["viewer", "editor", "owner"],
    (one) => one.get("/api/templates"),
  ],
  [
    "reads documents",
    ["viewer", "editor", "owner"],
    (one) => one.get("/api/documents"),
  ],
  [
    "changes templates",
    ["editor", "owner"],
    (one, id) =>
      one.send("PATCH", `/api/templates/${id}`, { isFavorite: true }),
  ],
  [
    "creates documents",
    ["editor", "owner"],
    (one, templateId) =>
      one.send("POST", "/api/export", { templateId, formats: ["html"] }),
  ],
  [
    "manages webhooks",
    ["owner"],
    (one) => one.send("DELETE", "/api/webhooks/unknown"),
  ],
  ["lists keys", ["owner"], (one) => one.get("/studio/api/keys")],
];

describe("a signed-in user", () => {
  const service = useService();
  for (const [name, who, act] of actions)
    it(`${name} only as ${who.join(", ")}`, async () => {
      for (const role of ["viewer", "editor", "owner"] as const) {
        const visitor = await newVisitor(service, role);
        const answer = await act(
          visitor,
          await publish(service.store, visitor),
        );
        if (who.includes(role)) expect(answer.status).to.be.oneOf([200, 404]);
        else {
          expect(answer.status, role).to.equal(400);
          expect(await readError(answer)).to.contain("role");
        }
      }
    });

  it("sees no data of other organizations", async () => {
    const visitor = await newVisitor(service);
    const foreign = await publish(service.store, await newVisitor(service));
    const response = await visitor.get(`/api/templates/${foreign}`);
    expect(response.status).to.equal(404);
  });
});
