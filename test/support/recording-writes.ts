import type { EntityManager } from "typeorm";
import type { Store } from "../../core/storage/database/index.js";

export interface Statement {
  text: string;
  values: unknown[];
}

/** A way to write that notes the statements sent by `EntityManager.query`. */
export function recordingWrites({ unitOfWork }: Store) {
  const sent: Statement[] = [];
  const noting = (tx: EntityManager) =>
    new Proxy(tx, {
      get(target, key): unknown {
        if (key !== "query") return Reflect.get(target, key, target);
        return (text: string, values: unknown[] = []) => {
          sent.push({ text, values });
          return target.query(text, values);
        };
      },
    });
  const write = <T>(work: (tx: EntityManager) => Promise<T>): Promise<T> =>
    unitOfWork.run((tx) => work(noting(tx)));
  return { sent, write };
}
