import { expect } from "chai";
import { getBaseUrl, parseConfig } from "../../config/index.js";

const database = (url: string) =>
  parseConfig({ PLATEN_DATABASE_URL: url }).database;

describe("parseConfig", () => {
  it("has a default for every variable", () => {
    const config = parseConfig({});
    expect(config.host).to.equal("127.0.0.1");
    expect(config.port).to.equal(3000);
    expect(config.database).to.deep.equal({
      kind: "sqlite",
      file: `${process.cwd()}/data/platen.sqlite`,
    });
    expect(config.demo).to.equal(true);
    expect(config.warnings).to.deep.equal([]);
  });

  it("treats an empty variable as not set", () => {
    expect(parseConfig({ PLATEN_PORT: " " }).port).to.equal(3000);
  });

  it("lists every invalid variable with the expected value and an example", () => {
    const env = { PLATEN_PORT: "http", PLATEN_DEMO: "maybe" };
    expect(() => parseConfig(env))
      .to.throw()
      .that.satisfies(({ message }: Error) => {
        expect(message).to.include("PLATEN_PORT: expected a port from 0");
        expect(message).to.include('it is "http". Example: 3000');
        expect(message).to.include("PLATEN_DEMO: expected one of on, off");
        return true;
      });
  });

  it("never prints secret values", () => {
    const env = {
      PLATEN_SECRET: "tooshort",
      PLATEN_DATABASE_URL: "oracle://scott:tiger@db/x",
    };
    expect(() => parseConfig(env))
      .to.throw("PLATEN_SECRET")
      .with.property("message")
      .that.does.not.match(/tooshort|tiger/);
  });

  it("parses sqlite:, mysql: and mariadb: URLs", () => {
    expect(database("sqlite:/tmp/a.db")).to.deep.equal({
      kind: "sqlite",
      file: "/tmp/a.db",
    });
    expect(database("mariadb://u@h:1/d")).to.deep.equal({
      kind: "mysql",
      url: "mysql://u@h:1/d",
    });
    expect(() => database("mysql://u@h:1")).to.throw("PLATEN_DATABASE_URL");
  });
});

describe("getBaseUrl", () => {
  it("returns the URL of host and port unless a base URL is set", () => {
    expect(getBaseUrl(parseConfig({ PLATEN_HOST: "0.0.0.0" }), 81)).to.equal(
      "http://127.0.0.1:81",
    );
    expect(getBaseUrl(parseConfig({ PLATEN_HOST: "::1" }), 81)).to.equal(
      "http://[::1]:81",
    );
    const set = parseConfig({ PLATEN_BASE_URL: "https://docs.example.com/" });
    expect(getBaseUrl(set, 81)).to.equal("https://docs.example.com");
  });
});
