/** Methods about the circuit breakers of steps. */

import type { Circuit, CircuitPlace } from '../model/circuit.ts'

/** A circuit breaker that isn't closed, or has counted failures. */
export interface KnownCircuit {
  readonly id: string
  readonly circuit: Circuit
  readonly place: CircuitPlace
}

/** The methods of `circuits.*`. */
export interface CircuitsApi {
  /** Those of one workflow, with those that workflows share; of all for null. */
  readonly 'circuits.list': {
    readonly input: { readonly workflowId: string | null }
    readonly output: { readonly circuits: readonly KnownCircuit[] }
  }
  /** Closes one, and forgets what it counted. Throws `circuit_not_found`. */
  readonly 'circuits.reset': {
    readonly input: { readonly id: string }
    readonly output: Record<string, never>
  }
}
