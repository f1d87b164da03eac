import { makeBundle } from './bundle.ts'
import type { Zip, ZipOptions, ZipPart } from './zip.ts'

/**
 * Fault of the ZIP, the ZIP (made when it is needed: some are large), and the message of its refusal.
 */
export type HostileZip = readonly [what: string, make: () => Zip, says: RegExp]

export const MIB = 1024 * 1024
export const PAGE = '<!doctype html><title>x</title>'

export function encode(text: string) {
  return new TextEncoder().encode(text)
}
export function uint16(value: number) {
  return Uint8Array.of(value & 0xff, value >>> 8)
}

/** A good bundle with entries added. */
export function plus(...parts: ZipPart[]) {
  return makeBundle({}, parts)
}

export function adding(...parts: ZipPart[]) {
  return () => plus(...parts)
}

/** A valid bundle with one more script, whose records are those of `facts`. */
export function script(facts: Omit<ZipPart, 'name'>) {
  return adding({ name: 'a.js', content: '1', ...facts })
}

/** A good bundle with so many more entries. */
export function many(length: number, entry: (i: number) => ZipPart) {
  return () => plus(...Array.from({ length }, (_, i) => entry(i)))
}

/** A good bundle with one file under a hostile name. */
export function named(name: string | Uint8Array) {
  return adding({ name, content: PAGE })
}

/** A good bundle in a ZIP with hostile records. */
export function framed(options: ZipOptions) {
  return () => makeBundle({}, [], options)
}

/** A good bundle but for its manifest's bytes. */
export function withManifest(content: string | Uint8Array) {
  return plus({ name: 'world-manifest.json', content })
}

/** @param zips By what is wrong with them. */
export function refused(says: RegExp, zips: Readonly<Record<string, () => Zip>>): HostileZip[] {
  return Object.entries(zips).map(([what, make]): HostileZip => [what, make, says])
}
