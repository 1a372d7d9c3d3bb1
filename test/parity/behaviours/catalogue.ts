/** All behaviours by their ids. A tag is a whole number: what a number bundles is proven by its tests together. */
import type { Behaviours } from '../behaviour.ts'
import { cordumBehaviours } from './cordum.ts'
import { defectBehaviours } from './defects.ts'
import { pynencBehaviours } from './pynenc.ts'
import { sayiirBehaviours, trapBehaviours } from './sayiir.ts'

/** A chapter of the report. */
export interface Chapter {
  readonly title: string
  readonly behaviours: Behaviours
}

/** In the order of the report. */
export const chapters: readonly Chapter[] = [
  { title: 'pynenc: statuses, ownership, recovery, control', behaviours: pynencBehaviours },
  { title: 'Cordum: lifecycle, routing, control flow', behaviours: cordumBehaviours },
  { title: 'sayiir: durable runs and workers', behaviours: sayiirBehaviours },
  { title: 'sayiir: traps, and what happens instead', behaviours: trapBehaviours },
  { title: 'Defects of pynenc and Cordum, and what happens instead', behaviours: defectBehaviours },
]
