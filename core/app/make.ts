import {
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
