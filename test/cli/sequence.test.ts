import { expect } from "chai";
import { before, describe, it } from "mocha";
import { cliOn, createOrganization } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";

describe("platen sequence", () => {
  const cli = cliOn(suiteFolder());
  let org: string[] = [];
  before(async () => {
    org = ["--org", await createOrganization(cli)];
  });
  const set = (...options: string[]) =>
    cli("sequence", "set", "invoices", ...org, ...options);
  const pattern = ["--pattern", "RE-{yyyy}-{0000}"];

  it("sets the next number of a period and lists it", async () => {
    const done = await set(...pattern, "--next", "418", "--period", "2027");
    expect(done).to.include({
      code: 0,
      stdout: 'The next new number of "invoices" is RE-2027-0418.\n',
    });
    const { stdout } = await cli("sequence", "list", ...org);
    expect(stdout).to.match(
      /NAME +PERIOD +NEXT +PATTERN +OPEN\ninvoices +2027 +RE-2027-0418 +RE-\{yyyy\}-\{0000\}/,
    );
    const listed = await cli("sequence", "list", ...org, "--json");
    expect(JSON.parse(listed.stdout)).to.have.nested.property(
      "[0].nextValue",
      418,
    );
  });

  it("refuses a number that is none with exit code 2, and a wrong period with 1", async () => {
    const none = await set(...pattern, "--next", "0");
    expect(none.code).to.equal(2);
    expect(none.stderr).to.include("from 1 to 999999999");
    const wrong = await set(...pattern, "--next", "1", "--period", "2027-01");
    expect(wrong.code).to.equal(1);
    expect(wrong.stderr).to.include('"2027-01" is not a period');
  });
});
