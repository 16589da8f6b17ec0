import { expect } from "chai";
import { describe, it } from "mocha";
import {
  createEmptyContainer,
  inject,
  injectable,
  registerClass,
  registerFactory,
  registerValue,
} from "../../core/lib/injection.js";
import { createToken } from "../../core/lib/tokens.js";

const GREETING = createToken<string>("greeting");
const GREETER = createToken<Greeter>("Greeter");
const LENGTH = createToken<number>("length");

@injectable()
class Greeter {
  constructor(@inject(GREETING) readonly greeting: string) {}
}

function createContainer() {
  const container = createEmptyContainer();
  registerValue(container, GREETING, "hello");
  registerClass(container, GREETER, Greeter);
  registerFactory(container, LENGTH, (c) => c.resolve(GREETER).greeting.length);
  return container;
}

describe("the injection container", () => {
  it("creates one instance of a class, with the dependencies registered for its tokens", () => {
    const container = createContainer();
    const greeter = container.resolve(GREETER);
    expect(greeter.greeting).to.equal("hello");
    expect(container.resolve(GREETER)).to.equal(greeter);
  });

  it("creates what depends on a replaced service anew in a child container, and nothing in its parent", () => {
    const parent = createContainer();
    expect(parent.resolve(LENGTH)).to.equal(5);
    const child = parent.createChildContainer();
    registerValue(child, GREETING, "hi");
    expect(child.resolve(GREETER).greeting).to.equal("hi");
    expect(child.resolve(LENGTH)).to.equal(2);
    expect(parent.resolve(GREETER).greeting).to.equal("hello");
    expect(parent.resolve(LENGTH)).to.equal(5);
  });

  it("keeps containers that were created separately apart", () => {
    const one = createContainer();
    const other = createContainer();
    expect(one.resolve(GREETER)).not.to.equal(other.resolve(GREETER));
  });

  it("says which token has no registration", () => {
    const container = createEmptyContainer();
    registerClass(container, GREETER, Greeter);
    expect(() => container.resolve(GREETER)).to.throw("greeting");
  });

  it("lets the compiler reject a token whose type does not fit the parameter", () => {
    class Wrong {
      // @ts-expect-error a number is injected for a string
      constructor(@inject(LENGTH) readonly greeting: string) {}
    }
    expect(new Wrong("hello").greeting).to.equal("hello");
  });
});
