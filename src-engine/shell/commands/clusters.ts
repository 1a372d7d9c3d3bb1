/** `clusters list|add|remove|test|slots|rebalance`: the clusters that commands and the designer can connect to. */

import { safetyText } from '../../model/failover-safety.ts'
import type { ClusterEntry } from '../../protocol/clusters.ts'
import { clusterColours } from '../../protocol/clusters.ts'
import type { ClusterBook } from '../clusters/cluster-book.ts'
import { createClusterBook } from '../clusters/cluster-book.ts'
import { createDataDirectory, dataDirectory } from '../data-directory.ts'
import { tableText } from '../terminal.ts'
import { actionOf } from './action.ts'
import { crewLines, crewOf } from './cluster-crew.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { rebalance } from './rebalance.ts'

type Action = (context: CommandContext, book: ClusterBook, args: readonly string[]) => Promise<ExitCode>

const actions: Readonly<Record<string, { readonly act: Action; readonly args: number }>> = {
  list: { act: list, args: 0 },
  add: { act: add, args: 2 },
  remove: { act: remove, args: 1 },
  test: { act: test, args: 1 },
  slots: { act: slots, args: 1 },
  rebalance: { act: (context, _book, [meant = '']) => rebalance(context, meant), args: 1 },
}

export const clustersCommand: Command = {
  usage: 'clusters list | add NAME ADDRESS | remove NAME | test|slots|rebalance NAME|ADDRESS',
  summary: 'Give clusters names, see whether they can be reached, and where partitions are.',
  options: { writable: { type: 'boolean' }, colour: { type: 'string' }, apply: { type: 'boolean' } },
  optionHelp: [
    ['slots', 'tell the slot of each partition, and the master that serves it'],
    ['rebalance', 'tell which slots to move so that every master has as many partitions, and how'],
    ['--apply', 'rebalance: move them; needs a user that may administer the cluster'],
    [
      'ADDRESS',
      'redis://HOST:PORT[,HOST:PORT…][/WORKSPACE][?durability=fast&partitions=N&password=SECRET&ca=FILE]',
    ],
    ['--writable', 'add: runs may be started and steered through it; without it nothing can be changed'],
    ['--colour C', `add: its band in the designer: ${clusterColours.join(', ')}`],
  ],
  positionals: { min: 1, max: 3 },
  run: (context) => {
    const { word, action, args } = actionOf(clustersCommand.usage, actions, context.positionals)
    const directory = dataDirectory(context.settings.values.data)
    if (word === 'add') createDataDirectory(directory)
    return action.act(context, createClusterBook(directory.clusters), args)
  },
}

async function list(context: CommandContext, book: ClusterBook): Promise<ExitCode> {
  const clusters = await book.list()
  const { terminal } = context
  if (context.json) for (const entry of clusters) context.emit({ type: 'cluster', ...entry })
  else if (clusters.length === 0) {
    terminal.line(terminal.colors.dim('No clusters. Add one with `sagasmith clusters add NAME redis://…`.'))
  } else {
    const rows = clusters.map(({ name, colour, readOnly, address }) => [
      name,
      colour,
      readOnly ? 'read-only' : 'writable',
      address,
    ])
    for (const line of tableText([['NAME', 'COLOUR', 'MAY', 'ADDRESS'], ...rows])) terminal.line(line)
  }
  return 0
}

async function add(context: CommandContext, book: ClusterBook, args: readonly string[]): Promise<ExitCode> {
  const [name = '', address = ''] = args
  const entry: ClusterEntry = {
    name,
    address,
    colour: colourOf(context.flags['colour']),
    readOnly: context.flags['writable'] !== true,
  }
  await book.put(entry)
  if (context.json) context.emit({ type: 'cluster', ...entry })
  else context.terminal.line(`${name} is known: ${entry.readOnly ? 'read-only' : 'writable'}, ${address}`)
  return 0
}

function colourOf(given: string | boolean | undefined): ClusterEntry['colour'] {
  const colour = clusterColours.find((known) => known === (given ?? 'blue'))
  if (colour !== undefined) return colour
  throw usageError(`There is no colour “${given}”.`, `Use one of ${clusterColours.join(', ')}.`)
}

async function remove(
  context: CommandContext,
  book: ClusterBook,
  [name = '']: readonly string[],
): Promise<ExitCode> {
  await book.remove(name)
  if (context.json) context.emit({ type: 'cluster.removed', name })
  else context.terminal.line(`${name} is forgotten; nothing on the cluster was touched.`)
  return 0
}

/** Connects as every other command would: what keeps it from that is told as the error it is. */
async function test(
  context: CommandContext,
  _book: ClusterBook,
  [meant = '']: readonly string[],
): Promise<ExitCode> {
  const { connectCluster } = await import('../clusters/cluster-connection.ts')
  const connection = await connectCluster(meant, context.settings)
  try {
    const info = await connection.client.call('engine.info', {})
    const { runners, now } = await connection.client.call('runners.list', {})
    const crew = crewOf(runners, now)
    const { key, problem } = await connection.client.call('seal.state', {})
    if (context.json) {
      context.emit({
        type: 'cluster.reached',
        cluster: meant,
        storeId: info.storeId,
        safety: info.safety,
        sealing: key === null ? null : { key, problem },
        ...crew,
      })
    } else {
      context.terminal.line(`${meant} answers: store ${info.storeId}.`)
      if (info.safety !== null) context.terminal.line(safetyText(info.safety))
      if (key !== null) context.terminal.line(problem?.message ?? `Values are sealed with the key ${key}.`)
      for (const line of crewLines(crew)) context.terminal.line(line)
    }
  } finally {
    await connection.close()
  }
  return 0
}

/** Which master has which partition: what somebody who moves slots must know. Changes nothing. */
async function slots(
  context: CommandContext,
  _book: ClusterBook,
  [meant = '']: readonly string[],
): Promise<ExitCode> {
  const { quietOpening } = await import('../clusters/cluster-connection.ts')
  const { inspectCluster } = await import('../clusters/open-cluster-store.ts')
  const { partitions } = await inspectCluster(quietOpening(context.settings), meant)
  const rows = partitions.map(({ partition, slot, address }) => ({ partition, slot, address }))
  if (context.json) for (const row of rows) context.emit({ type: 'cluster.slot', ...row })
  else {
    const cells = rows.map(({ partition, slot, address }) => [
      String(partition),
      String(slot),
      address ?? 'nobody',
    ])
    for (const line of tableText([['PARTITION', 'SLOT', 'MASTER'], ...cells])) context.terminal.line(line)
  }
  return 0
}
