import { expect } from "chai";
import {
  createContainer,
  createToken,
  inject,
  Lifecycle,
  provide,
  registerValue,
  scoped,
} from "../../core/lib/injection.js";

const GREETING = createToken<string>("greeting");
const LENGTH = createToken<number>("length");

@scoped(Lifecycle.ContainerScoped)
class Greeter {
  constructor(@inject(GREETING) readonly greeting: string) {}
}

provide(LENGTH, (c) => c.resolve(Greeter).greeting.length);

function openContainer() {
  const container = createContainer();
  registerValue(container, GREETING, "hello");
  return container;
}

describe("the injection container", () => {
  it("creates one instance of a class, with the dependencies registered for its tokens", () => {
    const container = openContainer();
    const greeter = container.resolve(Greeter);
    expect(greeter.greeting).to.equal("hello");
    expect(container.resolve(Greeter)).to.equal(greeter);
  });

  it("creates what depends on a replaced service anew in a child container, and nothing in its parent", () => {
    const parent = openContainer();
    expect(parent.resolve(LENGTH)).to.equal(5);
    const child = parent.createChildContainer();
    registerValue(child, GREETING, "hi");
    expect(child.resolve(Greeter).greeting).to.equal("hi");
    expect(child.resolve(LENGTH)).to.equal(2);
    expect(parent.resolve(Greeter).greeting).to.equal("hello");
    expect(parent.resolve(LENGTH)).to.equal(5);
  });

  it("keeps containers that were created separately apart", () => {
    const one = openContainer();
    const other = openContainer();
    expect(one.resolve(Greeter)).not.to.equal(other.resolve(Greeter));
  });

  it("says which token has no registration", () => {
    const container = createContainer();
    expect(() => container.resolve(Greeter)).to.throw("greeting");
  });

  it("lets the compiler reject a token whose type does not fit the parameter", () => {
    class Wrong {
      // @ts-expect-error a number is injected for a string
      constructor(@inject(LENGTH) readonly greeting: string) {}
    }
    expect(new Wrong("hello").greeting).to.equal("hello");
  });
});
