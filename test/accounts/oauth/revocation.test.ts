import { expect } from "chai";
import { describe, it } from "mocha";
import {
  connectAssistant,
  readOAuthError,
  postForm,
  refresh,
  registerClient,
} from "../../support/oauth.js";
import { useService } from "../../support/service.js";
import { postMessage } from "../../support/tool-client.js";

describe("the revocation endpoint of OAuth", () => {
  const service = useService();
  const fetchStatus = async (token: string) => {
    const authorization = `Bearer ${token}`;
    return (await postMessage(service.url, { authorization })).status;
  };
  const revoke = (token: string, more = {}) =>
    postForm(service, "/oauth/revoke", { token, ...more });

  it("ends the connection by its refresh token, and notes it", async () => {
    const { tokens: issued, clientId } = await connectAssistant(service);
    expect(await fetchStatus(issued.access_token)).to.equal(200);
    const answer = await revoke(issued.refresh_token, {
      client_id: clientId,
    });
    expect(answer.status).to.equal(200);
    expect(await fetchStatus(issued.access_token)).to.equal(401);
    const later = await refresh(service, clientId, issued.refresh_token);
    expect(await readOAuthError(later)).to.equal("400 invalid_grant");
  });

  it("ends one access token by itself", async () => {
    const { tokens: issued, clientId } = await connectAssistant(service);
    expect(await fetchStatus(issued.access_token)).to.equal(200);
    expect((await revoke(issued.access_token)).status).to.equal(200);
    expect(await fetchStatus(issued.access_token)).to.equal(401);
    const next = await refresh(service, clientId, issued.refresh_token);
    expect(next.status).to.equal(200);
  });

  it("ends nothing for another client, and returns success for an unknown token", async () => {
    const { tokens: issued } = await connectAssistant(service);
    const other = await registerClient(service);
    const answer = await revoke(issued.refresh_token, { client_id: other });
    expect(await readOAuthError(answer)).to.equal("400 invalid_grant");
    expect(await fetchStatus(issued.access_token)).to.equal(200);
    expect((await revoke("unknown")).status).to.equal(200);
    expect(await readOAuthError(await revoke(""))).to.equal(
      "400 invalid_request",
    );
  });
});
