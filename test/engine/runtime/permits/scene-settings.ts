/** The settings of engines in a scene: many slots, a fixed heartbeat. */

import { engineSettings } from '../../../../src-engine/model/settings/engine-settings.ts'

export type SettingValues = NonNullable<Parameters<typeof engineSettings>[0]>

/**
 * Looks that nobody asked for, for work and for the dead, are most of what a scene does while its time passes; of engines
 * on connections of their own each is a dozen round trips. Hints and planned wake-ups have to do instead, as they mostly
 * do anyway: one that is missing holds a scene up for longer.
 */
const seldomLooks: SettingValues = { deadProcessCheckMs: 15_000, pollIntervalMs: 15_000 }

export const sceneSettings = (values: SettingValues, { looksSeldom = false } = {}) =>
  engineSettings({
    ...{ claimTtlMs: 30_000, heartbeatIntervalMs: 7_500, deadProcessCheckMs: 2_000 },
    ...(looksSeldom ? seldomLooks : {}),
    ...values,
  })
