/** What `CLUSTER NODES` says: also masters that serve no slot yet, and slots that are between two masters. */

import { addressOf } from './topology.ts'

export interface ClusterNode {
  readonly id: string
  /** Where clients reach it. */
  readonly address: string
  readonly isMaster: boolean
  /** Whether the others take it to be alive. */
  readonly isWell: boolean
  /** Null for a master. */
  readonly masterId: string | null
  /** Whether it serves a slot. */
  readonly serves: (slot: number) => boolean
  /** Slots that it hands over, or takes; told by the node that was asked, and only of itself. */
  readonly open: readonly OpenSlot[]
}

/** A slot in motion, as one of its two masters sees it. */
export interface OpenSlot {
  readonly slot: number
  readonly way: 'out' | 'in'
  readonly otherId: string
}

const unwell = /\b(?:fail\??|handshake|noaddr)\b/

/** Reads the answer of the node at that address. */
export function parseClusterNodes(text: string, asked: string): readonly ClusterNode[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => parseLine(line, asked))
}

function parseLine(line: string, asked: string): ClusterNode {
  // id, ip:port@bus[,host], flags, master, ping, pong, epoch, link, slots…
  const [id = '', place = '', flags = '', masterId = '-', , , , , ...slots] = line.split(' ')
  const [at = ''] = place.split('@')
  const end = at.lastIndexOf(':')
  const ranges = slots.flatMap((text) => {
    const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? []
    return from === undefined ? [] : [[Number(from), Number(to)] as const]
  })
  return {
    id,
    address: addressOf(at.slice(0, end), Number(at.slice(end + 1)), asked),
    isMaster: flags.split(',').includes('master'),
    isWell: !unwell.test(flags.replace('nofailover', '')),
    masterId: masterId === '-' ? null : masterId,
    serves: (slot) => ranges.some(([from, to]) => from <= slot && slot <= to),
    open: slots.flatMap(parseOpen),
  }
}

function parseOpen(text: string): readonly OpenSlot[] {
  const [, slot, arrow, otherId] = /^\[(\d+)-([<>])-([0-9a-f]+)\]$/.exec(text) ?? []
  if (slot === undefined || otherId === undefined) return []
  return [{ slot: Number(slot), way: arrow === '>' ? 'out' : 'in', otherId }]
}
