/** A circuit breaker of steps in a terminal. */

import type { KnownCircuit } from '../../protocol/circuits.ts'
import { instantText } from '../terminal.ts'

/** Which one it is, and how it stands. */
export function circuitLine({ circuit, place }: KnownCircuit): string {
  const { workflowId, nodeId, key } = place
  const of = key === null ? '' : ` for ${JSON.stringify(key)}`
  return `${nodeId} of ${workflowId}${of}: ${standing(circuit)}`
}

function standing(circuit: KnownCircuit['circuit']): string {
  if (circuit.status === 'closed') return `closed, ${failuresText(circuit.failures.length)} lately`
  const error = circuit.error === null ? '' : ` (${circuit.error})`
  const after = `after ${failuresText(circuit.failures)}${error}`
  const since = instantText(circuit.since)
  if (circuit.status === 'open') return `open since ${since}, until ${instantText(circuit.until)}, ${after}`
  const { probes, succeeded, openedAt } = circuit
  const tries = `${probes.length} inside, ${succeeded.length} succeeded`
  return `half-open since ${since}: ${tries}; it opened ${instantText(openedAt)}, ${after}`
}

const failuresText = (count: number): string => (count === 1 ? '1 failure' : `${count} failures`)
