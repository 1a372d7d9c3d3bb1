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
  return [
    ...startedLines(preview),
    ...runnerLines(preview),
    ...secretLines(preview),
    { text: flightWords(preview), tone: 'plain' },
  ]
}

/** What it starts comes along; what is there in other versions stays there too. */
function startedLines({ startedWorkflows }: PushPreview): readonly CheckLine[] {
  return (['new', 'other'] as const).flatMap((how) => {
    const names = startedWorkflows
      .filter(({ there }) => there === how)
      .map(({ title, id }) => (title === '' ? id : title))
    return namesLine(words.started[how], names, 'plain')
  })
}

/** Steps, and which of the workflows that it starts they are of. */
function stepsOf(nodes: readonly string[], workflow: string | null): string {
  const names = nodes.join(', ')
  return workflow === null ? names : fill(words.ofWorkflow, { nodes: names, workflow })
}

function runnerLines({ runners, trusting, missingKinds }: PushPreview): readonly CheckLine[] {
  if (runners === 0) return [{ text: words.noRunner, tone: 'wait' }]
  const count = runners === 1 ? words.oneRunner : fill(words.runners, { count: runners })
  const trust =
    trusting === runners ? (runners === 1 ? '' : ` ${words.allTrust}`) : ` ${someWords(trusting, runners)}`
  const kinds = missingKinds.map(({ kind, workflow, nodes }): CheckLine => {
    const pattern = nodes.length === 1 ? words.missingKind : words.missingKinds
    return { text: fill(pattern, { kind, nodes: stepsOf(nodes, workflow) }), tone: 'wait' }
  })
  const distrust: readonly CheckLine[] =
    trusting > 0 ? [] : [{ text: `${words.distrust} ${words.distrustHint}`, tone: 'wait' }]
  return [{ text: `${count}${trusting === 0 ? '' : trust}`, tone: 'good' }, ...kinds, ...distrust]
}

function secretLines({ secrets, secretStandings }: PushPreview): readonly CheckLine[] {
  const of = (name: string) => secretStandings.filter((one) => one.name === name)
  const isTold = (name: string): boolean => of(name).length > 0 && of(name).every(isKnown)
  const untold = secrets.filter((name) => !isTold(name))
  const had = secrets.filter((name) => isTold(name) && of(name).every(({ lacking }) => lacking === 0))
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

function lackLine({ name, workflow, nodes, having, lacking, silent, reasons }: SecretStanding): CheckLine {
  const count = having + lacking + silent
  const why = reasons.map((reason) => words.lacks[reason]).join(', or ')
  const pattern = lacking === count ? words.noSecret : words.someSecret
  return { text: fill(pattern, { name, nodes: stepsOf(nodes, workflow), why, lacking, count }), tone: 'wait' }
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
