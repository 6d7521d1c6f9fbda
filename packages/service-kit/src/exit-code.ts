/** How a process ends: a fault of its own or of what it needs, and settings that cannot be used. */
export const EXIT_CODE = { failed: 1, settings: 2 } as const;
