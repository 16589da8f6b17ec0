// What a program does before it calls an engine that does not group and add up.

/** @returns the record with its lines in groups, with their subtotals, and the sum of all */
export function prepare(record) {
  const groups = new Map();
  for (const line of record.lines) {
    const group = groups.get(line.category) ?? {
      category: line.category,
      lines: [],
      count: 0,
      subtotal: 0,
    };
    groups.set(line.category, group);
    group.lines.push(line);
    group.count += 1;
    group.subtotal += line.amount;
  }
  const list = [...groups.values()];
  const subtotal = list.reduce((sum, group) => sum + group.subtotal, 0);
  return { ...record, groups: list, subtotal };
}
