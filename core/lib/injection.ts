// Dependency injection by tsyringe. It needs reflect-metadata to be loaded before itself, so every import of tsyringe at
// run time goes through this file.
//
// A service is a class with `@scoped(Lifecycle.ContainerScoped)`: there is one instance per container, created when it is
// first needed, and the class is its own token: `@inject(Documents)`. Values and interfaces have a token, in the file that
// declares the type. `provide` registers a factory: of a value, or of a class whose constructor takes other values than
// services. Both register when their file is loaded, so load the files of all services before creating a container.
import "reflect-metadata";
import {
  container as root,
  type DependencyContainer,
  type FactoryFunction,
  inject as injectToken,
  type InjectionToken,
  instancePerContainerCachingFactory,
} from "tsyringe";

export { Lifecycle, scoped } from "tsyringe";
export type { DependencyContainer } from "tsyringe";

/** Finds a service, as a container does. */
export type Get = <T>(token: InjectionToken<T>) => T;

/** A name for injecting a value or the implementation of an interface. */
export function createToken<T>(name: string): InjectionToken<T> {
  return Symbol(name);
}

/**
 * Registers a factory, which runs once per container, when the value is first needed.
 * @param container the only one to have it; by default, all containers have it
 */
export function provide<T>(
  token: InjectionToken<T>,
  factory: FactoryFunction<NoInfer<T>>,
  container: DependencyContainer = root,
): void {
  const useFactory = instancePerContainerCachingFactory<T>(factory);
  container.register(token, { useFactory });
}

/** A container for everything that has been loaded. */
export function createContainer(): DependencyContainer {
  return root.createChildContainer();
}

/** A value that exists already. It takes the place of an earlier registration. */
export function registerValue<T>(
  container: DependencyContainer,
  token: InjectionToken<T>,
  useValue: NoInfer<T>,
): void {
  container.register<T>(token, { useValue });
}

type ParameterDecoratorFor<T> = <
  Class extends abstract new (...args: never[]) => unknown,
  Index extends number,
>(
  target: Class &
    (T extends ConstructorParameters<Class>[Index]
      ? unknown
      : { "the token's type does not fit the parameter": T }),
  key: undefined,
  index: Index,
) => void;

/** tsyringe's `@inject(TOKEN)`; the compiler also checks that the token's type fits the parameter. */
export function inject<T>(token: InjectionToken<T>): ParameterDecoratorFor<T> {
  return injectToken(token as InjectionToken) as ParameterDecoratorFor<T>;
}
