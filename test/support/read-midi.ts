import { expect } from 'vitest'

interface ReadMidi {
  readonly ticksPerQuarter: number
  /** Microseconds of a quarter. */
  readonly tempo: number
  readonly tracks: readonly ReadTrack[]
}

interface ReadTrack {
  name: string
  channel: number
  program: number | undefined
  /** Numbers and values. */
  controllers: [number, number][]
  notes: { note: number; at: number; lasts: number }[]
  end: number
}

/** A reader of the events that the writer uses, made from the standard; anything else is an error. */
export function readMidi(file: Uint8Array): ReadMidi {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  expect(Buffer.from(file.subarray(0, 4)).toString()).toBe('MThd')
  const count = view.getUint16(10)
  const tracks: ReadTrack[] = []
  let tempo = 0
  let at = 14
  for (let track = 0; track < count; track++) {
    expect(Buffer.from(file.subarray(at, at + 4)).toString()).toBe('MTrk')
    const end = at + 8 + view.getUint32(at + 4)
    at += 8
    const read: ReadTrack = { name: '', channel: -1, program: undefined, controllers: [], notes: [], end: 0 }
    const sounding = new Map<number, number>()
    let now = 0
    const length = () => {
      let value = 0
      for (;;) {
        const byte = file[at++]!
        value = value * 128 + (byte & 0x7f)
        if (byte < 0x80) return value
      }
    }
    while (at < end) {
      now += length()
      const status = file[at++]!
      if (status === 0xff) {
        const type = file[at++]!
        const size = length()
        if (type === 3) read.name = Buffer.from(file.subarray(at, at + size)).toString()
        if (type === 0x2f) read.end = now
        if (type === 0x51) tempo = view.getUint32(at - 1) & 0xffffff
        at += size
      } else if (status >> 4 === 9) {
        read.channel = status & 15
        sounding.set(file[at]!, now)
        at += 2
      } else if (status >> 4 === 8) {
        const note = file[at]!
        const began = sounding.get(note)!
        sounding.delete(note)
        read.notes.push({ note, at: began, lasts: now - began })
        at += 2
      } else if (status >> 4 === 11) {
        read.controllers.push([file[at]!, file[at + 1]!])
        at += 2
      } else if (status >> 4 === 12) {
        read.program = file[at]!
        at += 1
      } else throw new Error(`Unknown status ${status}`)
    }
    expect(at).toBe(end)
    expect(sounding.size).toBe(0)
    if (track > 0) tracks.push(read)
  }
  expect(at).toBe(file.byteLength)
  return { ticksPerQuarter: view.getUint16(12), tempo, tracks }
}
