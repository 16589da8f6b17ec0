// Dependency injection by tsyringe. It needs reflect-metadata to be loaded before itself, so every import of tsyringe at
// run time goes through this file. Tokens (tokens.ts) are kept apart: they load nothing.
import "reflect-metadata";
import {
  type ClassProvider,
  container as root,
  type DependencyContainer,
  type FactoryFunction,
  inject as injectToken,
  injectable,
  type InjectionToken,
  instancePerContainerCachingFactory,
  Lifecycle,
} from "tsyringe";

export type { DependencyContainer } from "tsyringe";
export { injectable };

/** A container without registrations. */
export function createEmptyContainer(): DependencyContainer {
  return root.createChildContainer();
}

/** One instance per container, created when it is first needed. */
export function registerClass<T>(
  container: DependencyContainer,
  token: InjectionToken<T>,
  useClass: ClassProvider<T>["useClass"],
): void {
  const lifecycle = Lifecycle.ContainerScoped;
  container.register<T>(token, { useClass }, { lifecycle });
}

/** One value per container, created when it is first needed. */
export function registerFactory<T>(
  container: DependencyContainer,
  token: InjectionToken<T>,
  factory: FactoryFunction<T>,
): void {
  const useFactory = instancePerContainerCachingFactory(factory);
  container.register(token, { useFactory });
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
