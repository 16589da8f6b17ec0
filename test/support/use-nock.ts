import type Nock from "nock";

/** nock for the tests of one suite: it takes hold of all requests of the process as soon as it is loaded. */
export function useNock(): { nock: typeof Nock } {
  const held: Partial<{ nock: typeof Nock }> = {};
  before(async () => {
    const { default: nock } = await import("nock");
    if (!nock.isActive()) nock.activate();
    held.nock = nock;
  });
  after(() => {
    held.nock?.cleanAll();
    held.nock?.restore();
  });
  return {
    get nock() {
      if (!held.nock) throw new Error("nock is there while the tests run");
      return held.nock;
    },
  };
}
