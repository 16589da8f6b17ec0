import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { operator, Users } from "../../../core/accounts/index.js";
import { reader } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { newOwner } from "../../support/store.js";
import { newPerson, signInAs } from "../../support/studio.js";

const profile = reader(
  z.object({
    role: z.string(),
    organization: z.object({ id: z.string() }),
    organizations: z.array(z.object({ id: z.string() })),
  }),
);

describe("a user in two organizations", () => {
  const service = useService();

  it("switches to the other one with the role there, and to no others", async () => {
    const person = await newPerson(service, "owner");
    const other = await newOwner(service.store);
    const { email } = person;
    const asViewer = { name: "Ada", email, role: "viewer" } as const;
    const users = new Users(service.store);
    await users.create(other.organizationId, asViewer, operator);
    const visitor = await signInAs(service, person);
    const switchOrganization = (organizationId: string) =>
      visitor.send("POST", "/studio/api/me/organization", { organizationId });
    const me = async () => profile(await visitor.get("/studio/api/me"));

    expect((await me()).organizations).to.have.length(2);
    expect((await switchOrganization(other.organizationId)).status).to.equal(
      204,
    );
    const there = await me();
    expect(there.organization.id).to.equal(other.organizationId);
    expect(there.role).to.equal("viewer");
    expect((await visitor.get("/studio/api/keys")).status).to.equal(400);
    const foreign = await newOwner(service.store);
    expect((await switchOrganization(foreign.organizationId)).status).to.equal(
      404,
    );
  });
});
