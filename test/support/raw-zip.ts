/** Zip archives as bytes, also such that no honest program would make. */

import { crc32, deflateRawSync } from 'node:zlib'

/** One file of an archive, and what it lies about. */
export interface RawEntry {
  readonly name: string
  readonly text: string
  readonly deflates?: boolean
  /** What it says of its size. */
  readonly size?: number
  readonly flags?: number
  /** What systems keep of a file: on Unix its type and rights in the upper half. */
  readonly attributes?: number
}

/** An archive of these. */
export function rawZip(entries: readonly RawEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const bytes = Buffer.from(entry.text)
    const packed = entry.deflates === true ? deflateRawSync(bytes) : bytes
    const name = Buffer.from(entry.name)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE((entry.flags ?? 0) | 0x800, 2)
    head.writeUInt16LE(entry.deflates === true ? 8 : 0, 4)
    head.writeUInt32LE(crc32(bytes), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(entry.size ?? bytes.length, 18)
    head.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, name, packed])
    const central = Buffer.alloc(14)
    central.writeUInt32LE((entry.attributes ?? 0) >>> 0, 6)
    central.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), head, central, name]))
    parts.push(local)
    offset += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, list, Buffer.from('PK\x05\x06'), end])
}
