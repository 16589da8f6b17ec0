import { newId, type Store, User } from "../../core/storage/database/index.js";

/** A user's row, ready to be inserted. */
export function userRow(name: string): Omit<User, never> {
  const now = new Date();
  return {
    id: newId(),
    name,
    email: `${name.toLowerCase()}-${newId()}@example.com`,
    image: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** The names of all users that are committed, in alphabetical order. */
export async function userNames(store: Store): Promise<string[]> {
  const users = await store.read.find(User, { order: { name: "ASC" } });
  return users.map(({ name }) => name);
}
