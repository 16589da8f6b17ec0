// tsyringe needs it loaded before itself, so that every import of tsyringe at run time goes through this file.
import "reflect-metadata";
import {
  container as root,
  type DependencyContainer,
  type FactoryFunction,
  type InjectionToken,
  instancePerContainerCachingFactory,
} from "tsyringe";

/** Registers a part that is made once for each container, when it is first asked for. */
export function make<T>(
  container: DependencyContainer,
  token: InjectionToken<T>,
  factory: FactoryFunction<T>,
): void {
  const useFactory = instancePerContainerCachingFactory(factory);
  container.register(token, { useFactory });
}

/** A container without registrations. */
export function createEmptyContainer(): DependencyContainer {
  return root.createChildContainer();
}
