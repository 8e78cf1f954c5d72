// The contest's maps and cars by name. A name is given only if the numbers are the catalogue's: logs with changed numbers
// under the same id exist.

import type { Fields } from "./fields";

/** As the program writes it into the page; null when the page was built without the program. */
export interface Catalogue {
  maps: { name: string; shape: Fields }[];
  cars: { name: string; shape: Fields }[];
}

/** Like the program: 1 and 1.0 are equal, keys that the log leaves out or adds do not count. */
function agrees(known: unknown, found: unknown): boolean {
  if (Array.isArray(known)) {
    if (!Array.isArray(found) || known.length !== found.length) return false;
    return known.every((entry, i) => agrees(entry, found[i]));
  }
  return known === found;
}

function nameOf(entries: { name: string; shape: Fields }[] | undefined, found: Fields): string {
  const id = String(found.external_id);
  for (const { name, shape } of entries ?? []) {
    const same = Object.keys(shape).every((key) => !(key in found) || agrees(shape[key], found[key]));
    const squareWheels = (found.squared_wheels === true) === (shape.squared_wheels === true);
    if (same && squareWheels) return name;
  }
  return `other(${id})`;
}

export function mapName(catalogue: Catalogue | null, protoMap: Fields): string {
  return nameOf(catalogue?.maps, protoMap);
}

export function carName(catalogue: Catalogue | null, protoCar: Fields): string {
  return nameOf(catalogue?.cars, protoCar);
}
