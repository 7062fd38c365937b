// How long a W25Q16JV takes (Winbond's datasheet, AC characteristics), in nanoseconds of chip time.
// typical: what a new part at room temperature does. worst: what the maker promises over the part's life;
// latency figures come from it. instant: no time at all, for tests that are about something else.
const MS = 1e6;

export const FLASH_TIMES = {
  typical: { status: 10 * MS, page: 0.4 * MS, 4096: 45 * MS, 32768: 120 * MS, 65536: 150 * MS, whole: 5000 * MS },
  worst: { status: 15 * MS, page: 3 * MS, 4096: 400 * MS, 32768: 1600 * MS, 65536: 2000 * MS, whole: 25000 * MS },
  instant: { status: 0, page: 0, 4096: 0, 32768: 0, 65536: 0, whole: 0 },
};
