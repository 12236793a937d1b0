#include "data/split_rows.h"
