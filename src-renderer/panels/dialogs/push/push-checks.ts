/** What a version meets on a cluster, line by line. Pure. */

import type { VersionChange } from '../../../../src-engine/model/version-changes.ts'
import type { PushPreview, SecretStanding } from '../../../../src-engine/protocol/push.ts'
import { fill } from '../../../text/messages.ts'
import { pushWords as words } from '../../../text/site-words.ts'

export interface CheckLine {
  readonly text: string
  /** `wait`: runs would wait; `plain`: only told. */
  readonly tone: 'good' | 'wait' | 'plain'
}

/** Runners, kinds, trust, secrets, runs in flight: in the order in which they decide. */
export function checkLines(preview: PushPreview): readonly CheckLine[] {
  return [...runnerLines(preview), ...secretLines(preview), { text: flightWords(preview), tone: 'plain' }]
}

function runnerLines({ runners, trusting, missingKinds }: PushPreview): readonly CheckLine[] {
  if (runners === 0) return [{ text: words.noRunner, tone: 'wait' }]
  const count = runners === 1 ? words.oneRunner : fill(words.runners, { count: runners })
  const trust =
    trusting === runners ? (runners === 1 ? '' : ` ${words.allTrust}`) : ` ${someWords(trusting, runners)}`
  const kinds = missingKinds.map(({ kind, nodes }): CheckLine => {
    const pattern = nodes.length === 1 ? words.missingKind : words.missingKinds
    return { text: fill(pattern, { kind, nodes: nodes.join(', ') }), tone: 'wait' }
  })
  const distrust: readonly CheckLine[] =
    trusting > 0 ? [] : [{ text: `${words.distrust} ${words.distrustHint}`, tone: 'wait' }]
  return [{ text: `${count}${trusting === 0 ? '' : trust}`, tone: 'good' }, ...kinds, ...distrust]
}

function secretLines({ secrets, secretStandings }: PushPreview): readonly CheckLine[] {
  const knownOf = (name: string) => secretStandings.find((one) => one.name === name && isKnown(one))
  const untold = secrets.filter((name) => knownOf(name) === undefined)
  const had = secrets.filter((name) => knownOf(name)?.lacking === 0)
  return [
    ...secretStandings.filter(({ lacking }) => lacking > 0).map(lackLine),
    ...namesLine(words.haveSecrets, had, 'good'),
    ...namesLine(words.secrets, untold, 'plain'),
  ]
}

/** Whether every runner that needs it tells whether it has it, and there is one. */
const isKnown = ({ having, lacking, silent }: SecretStanding): boolean => silent === 0 && having + lacking > 0

const namesLine = (
  pattern: string,
  names: readonly string[],
  tone: CheckLine['tone'],
): readonly CheckLine[] =>
  names.length === 0 ? [] : [{ text: fill(pattern, { names: names.join(', ') }), tone }]

function lackLine({ name, nodes, having, lacking, silent, reasons }: SecretStanding): CheckLine {
  const count = having + lacking + silent
  const why = reasons.map((reason) => words.lacks[reason]).join(', or ')
  const pattern = lacking === count ? words.noSecret : words.someSecret
  return { text: fill(pattern, { name, nodes: nodes.join(', '), why, lacking, count }), tone: 'wait' }
}

const someWords = (trusting: number, count: number): string => fill(words.someTrust, { trusting, count })

/** How many edges came, go and are others now. */
export function edgeWords(changes: readonly VersionChange[]): string {
  const parts = (['added', 'removed', 'changed'] as const).flatMap((change) => {
    const count = changes.filter((one) => one.change === change).length
    return count === 0 ? [] : [fill(words.edgeParts[change], { count })]
  })
  return `${words.edges}: ${parts.join(', ')}`
}

/** Runs never change their version: told so that nobody fears for them. */
function flightWords({ inFlight, moreInFlight, newest, hash }: PushPreview): string {
  const total = inFlight.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return words.noFlight
  const all = moreInFlight ? fill(words.more, { count: total }) : String(total)
  const lead = total === 1 && !moreInFlight ? words.oneStays : fill(words.stay, { count: all })
  const parts = inFlight.map((one) => {
    const pattern =
      one.hash === hash ? words.onThis : one.hash === newest?.hash ? words.onNewest : words.onOther
    return fill(pattern, { count: one.count, hash: `${one.hash.slice(0, 11)}…` })
  })
  return `${lead.replace(/\.$/, '')}: ${parts.join(', ')}.`
}
