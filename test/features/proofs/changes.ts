import { createHash } from 'node:crypto'
import { deflateSync, inflateSync } from 'node:zlib'
import { keccak256 } from 'viem/utils'

/** One change of a certificate; sections count from 0 in the order of `docs/certificate.md`. */
export type Change =
  /** A field of the JSON, by its path. */
  | readonly ['set', path: string, value: unknown]
  /** The lowest bit of a byte; offsets from the end are negative. */
  | readonly ['flip', section: number, offset: number]
  | readonly ['put', section: number, hex: string]
  | readonly ['cut', section: number, bytes: number]
  | readonly ['swap', section: number, other: number]
  | readonly ['drop', section: number]
  | readonly ['insert', section: number, hex: string]
  /** A section of another certificate, or of the same, in front of another one. */
  | readonly ['copy', certificate: string, section: number, before: number]
  | readonly ['take', certificate: string, section: number, to: number]
  /** States the hash of a header as it is now. */
  | readonly ['seal', block: 'block', section: number, algorithm?: string]

type File = Record<string, unknown> & { packed: string }

/** Applies changes to the text of a certificate; `''` when the text is to be cut. */
export function changed(
  certificates: Readonly<Record<string, string>>,
  name: string,
  changes: readonly Change[],
): string {
  const file = JSON.parse(certificates[name] as string) as File
  const sections = sectionsOf(file)
  for (const change of changes) {
    switch (change[0]) {
      case 'set':
        break
      case 'flip': {
        const section = change[1] < 0 ? sections.length + change[1] : change[1]
        const bytes = Buffer.from(sections[section] as Buffer)
        const at = change[2] < 0 ? bytes.length + change[2] : change[2]
        bytes[at] = (bytes[at] as number) ^ 1
        sections[section] = bytes
        break
      }
      case 'put':
        sections[change[1]] = Buffer.from(change[2], 'hex')
        break
      case 'cut':
        sections[change[1]] = (sections[change[1]] as Buffer).subarray(0, -change[2])
        break
      case 'swap': {
        const [, a, b] = change
        ;[sections[a], sections[b]] = [sections[b] as Buffer, sections[a] as Buffer]
        break
      }
      case 'drop':
        sections.splice(change[1], 1)
        break
      case 'insert':
        sections.splice(change[1], 0, Buffer.from(change[2], 'hex'))
        break
      case 'copy':
        sections.splice(change[3], 0, sectionOf(certificates, change[1], change[2]))
        break
      case 'take':
        sections[change[3]] = sectionOf(certificates, change[1], change[2])
        break
      case 'seal': {
        const header = sections[change[2]] as Buffer
        const hash = change[3] ? `0x${createHash(change[3]).update(header).digest('hex')}` : keccak256(header)
        Object.assign(file[change[1]] as object, { hash })
      }
    }
  }
  file.packed = packedOf(sections)
  for (const change of changes) if (change[0] === 'set') setAt(file, change[1].split('.'), change[2])
  return JSON.stringify(file)
}

/** The sections as a certificate has them. */
export function packedOf(sections: readonly Buffer[]): string {
  return deflateSync(joined(sections)).toString('base64')
}

/** The sections of a certificate. */
export function sectionsOf({ packed }: { readonly packed: string }): Buffer[] {
  const bytes = inflateSync(Buffer.from(packed, 'base64'))
  const sections: Buffer[] = []
  for (let at = 4; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at)
    sections.push(bytes.subarray(at + 4, end))
    at = end
  }
  return sections
}

function sectionOf(certificates: Readonly<Record<string, string>>, name: string, section: number): Buffer {
  return sectionsOf(JSON.parse(certificates[name] as string) as File).at(section) as Buffer
}

function joined(sections: readonly Buffer[]): Buffer {
  const number = (value: number) => Buffer.from(value.toString(16).padStart(8, '0'), 'hex')
  return Buffer.concat([
    number(sections.length),
    ...sections.flatMap((section) => [number(section.length), section]),
  ])
}

function setAt(object: object, [key, ...rest]: readonly string[], value: unknown): void {
  const record = object as Record<string, unknown>
  if (rest.length > 0) setAt(record[key as string] as object, rest, value)
  else record[key as string] = value
}
