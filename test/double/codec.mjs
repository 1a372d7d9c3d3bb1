// Structured clone as text, for values that cross between the main process and a page. The
// factory is one self-contained function because its source also runs inside the page.

export function createCodec() {
  const TAG = '$double'
  const typedArrays = [
    Uint8Array,
    Uint8ClampedArray,
    Int8Array,
    Uint16Array,
    Int16Array,
    Uint32Array,
    Int32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
  ]
  const refuse = (what) => {
    throw new Error(`An object could not be cloned. (${what})`)
  }
  const bytesToText = (bytes) => {
    let text = ''
    for (let at = 0; at < bytes.length; at += 0x8000) {
      text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
    }
    return btoa(text)
  }
  const textToBytes = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  const isPlainNumber = (value) => Number.isFinite(value) && !Object.is(value, -0)

  const packBinary = (value) => {
    if (value instanceof ArrayBuffer) return { [TAG]: 'buffer', v: bytesToText(new Uint8Array(value)) }
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    const type = typedArrays.find((candidate) => value instanceof candidate)
    return { [TAG]: 'typed', k: type?.name ?? refuse('DataView'), v: bytesToText(bytes) }
  }
  const packObject = (value, seen) => {
    if (value instanceof Date) return { [TAG]: 'date', v: value.getTime() }
    if (value instanceof RegExp) return { [TAG]: 'regexp', v: value.source, f: value.flags }
    if (value instanceof Error) return { [TAG]: 'error', n: value.name, v: value.message, s: value.stack }
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return packBinary(value)
    if (seen.includes(value)) refuse('cycles are not imitated')
    const inner = [...seen, value]
    const one = (item) => pack(item, inner)
    if (value instanceof Map) return { [TAG]: 'map', v: [...value].map((pair) => pair.map(one)) }
    if (value instanceof Set) return { [TAG]: 'set', v: [...value].map(one) }
    if (Array.isArray(value)) return value.map(one)
    if (typeof value.then === 'function' || value instanceof WeakMap) refuse(String(value))
    const entries = Object.entries(value).map(([key, item]) => [key, one(item)])
    const plain = Object.fromEntries(entries)
    return TAG in plain ? { [TAG]: 'object', v: plain } : plain
  }
  const pack = (value, seen) => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
    if (value === undefined) return { [TAG]: 'undefined' }
    if (typeof value === 'number')
      return isPlainNumber(value)
        ? value
        : { [TAG]: 'number', v: Object.is(value, -0) ? '-0' : String(value) }
    if (typeof value === 'bigint') return { [TAG]: 'bigint', v: String(value) }
    if (typeof value === 'function' || typeof value === 'symbol') return refuse(String(value))
    return packObject(value, seen)
  }

  const unpackError = ({ n, v, s }) => {
    const error = new Error(v)
    error.name = n
    error.stack = s
    return error
  }
  const unpackTyped = ({ k, v }) => {
    const type = typedArrays.find((candidate) => candidate.name === k)
    return new type(textToBytes(v).buffer)
  }
  const readers = {
    undefined: () => undefined,
    number: ({ v }) => Number(v),
    bigint: ({ v }) => BigInt(v),
    date: ({ v }) => new Date(v),
    regexp: ({ v, f }) => new RegExp(v, f),
    error: unpackError,
    buffer: ({ v }) => textToBytes(v).buffer,
    typed: unpackTyped,
    map: ({ v }) => new Map(v.map((pair) => pair.map(unpack))),
    set: ({ v }) => new Set(v.map(unpack)),
    object: ({ v }) => unpackEntries(v),
  }
  const unpackEntries = (value) =>
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item)]))
  const unpack = (value) => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(unpack)
    return TAG in value ? readers[value[TAG]](value) : unpackEntries(value)
  }

  return {
    encode: (value) => JSON.stringify(pack(value, [])),
    decode: (text) => unpack(JSON.parse(text)),
  }
}

export const codec = createCodec()
