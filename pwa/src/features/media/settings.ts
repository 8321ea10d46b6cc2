/** The member's choice about pictures and recordings, as far as this device knows it. */
export { useSettings as useMediaSettings } from '@/offline/settings.ts';
