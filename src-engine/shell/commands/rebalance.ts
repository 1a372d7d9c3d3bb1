/** `clusters rebalance`: which slots have to move so that every master has as many partitions, and moving them. */

import type { RebalanceMove, RebalancePlan, Rebalancer } from '../../store/redis/rebalance.ts'
import { migrateMs } from '../../store/redis/spread.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { spreadText } from './spread-text.ts'

/** Prints the plan with the commands of each move; with `--apply` plays it. */
export async function rebalance(context: CommandContext, meant: string): Promise<ExitCode> {
  const { quietOpening } = await import('../clusters/cluster-connection.ts')
  const { rebalancerOf } = await import('../clusters/open-cluster-store.ts')
  const rebalancer = await rebalancerOf(quietOpening(context.settings), meant)
  try {
    const plan = await rebalancer.plan()
    const isApplied = context.flags['apply'] === true
    tellPlan(context, plan, isApplied)
    if (isApplied) await apply(context, rebalancer, plan)
  } finally {
    rebalancer.close()
  }
  return 0
}

function tellPlan(context: CommandContext, plan: RebalancePlan, isApplied: boolean): void {
  const { terminal } = context
  const { before, after, moves, alone } = plan
  if (context.json) {
    context.emit({
      type: 'rebalance.plan',
      before: { byMaster: Object.fromEntries(before.byMaster), ratio: before.ratio },
      after: { byMaster: Object.fromEntries(after.byMaster), ratio: after.ratio },
      alone,
      moves: moves.map((move) => ({ ...move, commands: commandsOf(move) })),
    })
    return
  }
  terminal.line(`Now ${spreadText(before)}.`)
  for (const address of alone) {
    terminal.line(terminal.colors.yellow(`${address} gets nothing: it has no replica. Give it one first.`))
  }
  if (moves.length === 0) {
    terminal.line('There is nothing to move.')
    return
  }
  terminal.line(
    `Then ${spreadText(after)}: ${moves.length === 1 ? 'one slot moves' : `${moves.length} slots move`}.`,
  )
  if (isApplied) return
  for (const move of moves) {
    terminal.line(terminal.colors.dim(`# ${titleOf(move)}`))
    for (const command of commandsOf(move)) terminal.line(command)
  }
  terminal.line(
    terminal.colors.dim(
      '# --apply does the same; add --user, --askpass and --tls as your servers want them.',
    ),
  )
}

async function apply(context: CommandContext, rebalancer: Rebalancer, plan: RebalancePlan): Promise<void> {
  const { terminal } = context
  let wanted = false
  const forget = context.onInterrupt(() => {
    wanted = true
    terminal.errorLine('Stopping when this slot has moved; the same command goes on with the others.')
  })
  try {
    for (const move of plan.moves) {
      if (wanted) break
      const { keys, ms } = await rebalancer.move(move)
      if (context.json) context.emit({ type: 'rebalance.moved', ...move, keys, ms })
      else terminal.line(`${titleOf(move)}: ${keys} keys in ${ms} ms`)
    }
  } finally {
    forget()
  }
  const { before: now } = await rebalancer.plan()
  if (context.json) {
    context.emit({ type: 'rebalance.done', byMaster: Object.fromEntries(now.byMaster), ratio: now.ratio })
  } else terminal.line(`Now ${spreadText(now)}.`)
}

function titleOf({ slot, partitions, from, to, isBegun }: RebalanceMove): string {
  const which = partitions.length === 1 ? 'partition' : 'partitions'
  const begun = isBegun ? ', which somebody began' : ''
  return `slot ${slot} (${which} ${partitions.join(', ')}) from ${from} to ${to}${begun}`
}

/** What an operator would type; GNU xargs, for a key may hold a space. */
function commandsOf({ slot, from, to, fromId, toId }: RebalanceMove): readonly string[] {
  const [source, target] = [from, to].map((address) => {
    const end = address.lastIndexOf(':')
    return { host: address.slice(0, end), port: address.slice(end + 1) }
  })
  const cli = (at: typeof source): string => `redis-cli -h ${at?.host ?? ''} -p ${at?.port ?? ''}`
  const keys = `${cli(source)} CLUSTER GETKEYSINSLOT ${slot} 100`
  const place = `${target?.host ?? ''} ${target?.port ?? ''} "" 0 ${migrateMs}`
  return [
    `${cli(target)} CLUSTER SETSLOT ${slot} IMPORTING ${fromId}`,
    `${cli(source)} CLUSTER SETSLOT ${slot} MIGRATING ${toId}`,
    `while ${keys} | grep -q .; do ${keys} | xargs -d '\\n' ${cli(source)} MIGRATE ${place} REPLACE KEYS || break; done`,
    `${cli(target)} CLUSTER SETSLOT ${slot} NODE ${toId}`,
    `${cli(source)} CLUSTER SETSLOT ${slot} NODE ${toId}`,
  ]
}
