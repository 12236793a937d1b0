// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/field_makers.h"

// Settings of the groups data and split.
namespace credence::field_makers {
namespace {

bool toy(const Study& s) { return s.data.source == DataSource::toy; }
bool csv(const Study& s) { return s.data.source == DataSource::csv; }
bool strokes(const Study& s) { return s.data.source == DataSource::strokes; }
bool image_set(const Study& s) { return s.data.source == DataSource::images; }
bool images(const Study& s) { return is_images(s.data.source); }
bool not_images(const Study& s) { return !images(s); }
bool two_classes(const Study& s)
{
    const ToyKind kind = s.data.toy.kind;
    return toy(s) && (kind == ToyKind::two_moons || kind == ToyKind::circles || kind == ToyKind::xor_squares);
}
bool many_classes(const Study& s)
{
    return toy(s) && (s.data.toy.kind == ToyKind::blobs || s.data.toy.kind == ToyKind::spirals);
}
bool curve(const Study& s) { return toy(s) && s.data.toy.kind == ToyKind::blundell_curve; }
bool regression_data(const Study& s)
{
    if (s.data.source == DataSource::toy)
        return task_of(s.data.toy.kind) == Task::regression;
    if (s.data.source == DataSource::drawn)
        return s.data.drawn_task == Task::regression;
    return csv(s) && s.data.csv.task != Task::classification;   // a table that has not been read yet may be either
}

const std::vector<Option<DataSource>> sources = {
    {DataSource::toy, {"toy", "Made by a generator", "Start here: small problems whose answer you can see."}},
    {DataSource::drawn, {"drawn", "Drawn by hand", "Set the points yourself on the map, to ask your own what-if."}},
    {DataSource::csv, {"csv", "Table in a file", "Your own measurements: one row an example, one column the target."}},
    {DataSource::strokes,
     {"strokes", "Stroke digits",
      "28×28 images in MNIST's format that the program draws itself: nothing to download."}},
    {DataSource::images,
     {"images", "Data set of images", "MNIST and its like, CIFAR-10, or images that you imported."}},
};

const std::vector<Option<ToyKind>> kinds = {
    {ToyKind::two_moons,
     {"two_moons", "Two moons",
      "Two interleaved half circles: the usual first look at uncertainty away from the data."}},
    {ToyKind::circles, {"circles", "Circles", "One ring inside another: the map must close around the inner class."}},
    {ToyKind::spirals,
     {"spirals", "Spirals", "Arms wound around one another: a hard border that needs width or depth."}},
    {ToyKind::xor_squares, {"xor", "XOR", "Opposite quadrants share a class: not separable by a line."}},
    {ToyKind::blobs, {"blobs", "Blobs", "K round clouds: the simplest problem with more than two classes."}},
    {ToyKind::four_gaussians,
     {"four_gaussians", "Four Gaussians", "Four classes in the plane, as in Hobbhahn 2020, section 5.4."}},
    {ToyKind::blundell_curve,
     {"blundell_curve", "Blundell's curve",
      "Regression with points on [0, 0.5] only (Blundell et al. 2015, section 5.2): watch the band open beyond them."}},
    {ToyKind::cubic, {"cubic", "Cubic", "A smooth cubic with noise: the classic picture of extrapolation."}},
    {ToyKind::sine_gap,
     {"sine_gap", "Sine with a gap", "A sine whose middle is missing: see if the band opens inside the gap."}},
    {ToyKind::step, {"step", "Step", "A jump: see how a smooth net crosses it."}},
    {ToyKind::heteroscedastic,
     {"heteroscedastic", "Noise that grows", "Noise whose size depends on x: meant for a learned noise level."}},
};

const std::vector<Option<CurveNoise>> curve_noises = {
    {CurveNoise::standard_deviation,
     {"standard_deviation", "Standard deviation", "The default: the curve stays visible (explained variance 0.87)."}},
    {CurveNoise::variance,
     {"variance", "Variance", "The other reading of the paper: the noise hides most of the curve."}},
};

const std::vector<Option<Task>> tasks = {
    {Task::classification, {"classification", "Classification", "Points belong to classes."}},
    {Task::regression,
     {"regression", "Regression", "The second coordinate is a number to be predicted from the first."}},
};

const std::vector<Option<std::optional<Task>>> table_tasks = {
    {std::nullopt,
     {"automatic", "By the column", "Classification if the target holds words or at most 20 different whole numbers."}},
    {Task::classification,
     {"classification", "Classification", "The target names classes, also if they are written as many numbers."}},
    {Task::regression, {"regression", "Regression", "The target is a quantity."}},
};

const std::vector<Option<CsvHeader>> headers = {
    {CsvHeader::detect, {"detect", "Find out", "The first line is a header if it looks unlike the others."}},
    {CsvHeader::yes, {"yes", "First line has names", "Pick it if the names look like data."}},
    {CsvHeader::no, {"no", "No header", "All lines are data; columns are called by their number."}},
};

const std::vector<Option<char>> separators = {
    {'\0', {"automatic", "Find out", "Taken from the first lines."}},
    {',', {"comma", "Comma ,", "The usual one in English."}},
    {';', {"semicolon", "Semicolon ;", "The usual one where the comma is the decimal sign."}},
    {'\t', {"tab", "Tab", "Tables copied from a spreadsheet."}},
    {' ', {"space", "Space", "Columns divided by blanks."}},
    {'|', {"bar", "Bar |", "Exports of databases."}},
};

const std::vector<Option<StrokeAlphabet>> alphabets = {
    {StrokeAlphabet::digits, {"digits", "Digits 0 to 9", "To train on."}},
    {StrokeAlphabet::letters,
     {"letters", "Letters A to J", "Drawn by the same hand: what a net that learned digits has never seen."}},
};

const std::vector<Option<PixelScaling>> scalings = {
    {PixelScaling::divide_256,
     {"divide_256", "Pixel / 256", "As Caffe's LeNet and so the papers of Posch and Steinbrener."}},
    {PixelScaling::divide_255, {"divide_255", "Pixel / 255", "0 to 1, as most other programs."}},
    {PixelScaling::divide_126, {"divide_126", "Pixel / 126", "0 to 2.02, as Blundell et al. 2015 for their MLPs."}},
};

/// Column names in one text: divided by commas; a name that holds a comma or a quote stands in double quotes.
std::string joined(const std::vector<std::string>& names)
{
    std::string text;
    for (const auto& name : names) {
        text += text.empty() ? "" : ", ";
        if (name.find_first_of(",\"") == std::string::npos) {
            text += name;
            continue;
        }
        text += '"';
        for (const char c : name)
            text += c == '"' ? std::string("\"\"") : std::string(1, c);
        text += '"';
    }
    return text;
}

std::vector<std::string> divided(const std::string& text)
{
    std::vector<std::string> names;
    std::string name;
    bool quoted = false, was_quoted = false;
    const auto take = [&] {
        if (!was_quoted) {
            const auto last = name.find_last_not_of(' ');
            name.erase(last == std::string::npos ? 0 : last + 1);
        }
        if (!name.empty())
            names.push_back(name);
        name.clear();
        was_quoted = false;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
            name += text[++i];
        else if (c == '"' && (quoted || name.empty()))
            quoted = !quoted, was_quoted = true;
        else if (c == ',' && !quoted)
            take();
        else if (quoted || !name.empty() || c != ' ')
            if (quoted || !was_quoted)
                name += c;
    }
    take();
    return names;
}

void add_image_fields(std::vector<Field>& fields)
{
    const auto add = [&](Field field) { fields.push_back(std::move(field)); };

    add(choice(
        {.path  = "data.alphabet",
         .label = "Signs",
         .help =
             "What is drawn: the digits 0 to 9, or the letters A to J. Each sign has several shapes; thickness, slant, turn, "
             "shift and bends are random.",
         .applies = strokes},
        [](auto& s) -> auto& { return s.data.images.alphabet; }, alphabets));
    add(plain(
        {.path  = "data.training_images",
         .label = "Training images",
         .unit  = "images",
         .help =
             "How many are drawn for training; ten in a row are one of each class. 10,000 take under a second. Fewer make a harder problem and a wider posterior.",
         .min     = 20,
         .max     = 200000,
         .applies = strokes},
        [](auto& s) -> auto& { return s.data.images.training_images; }));
    add(plain(
        {.path  = "data.test_images",
         .label = "Test images",
         .unit  = "images",
         .help =
             "How many more are drawn for the scores. A standard error of an error rate near 2 % is 0.3 % with 2,000.",
         .min     = 10,
         .max     = 200000,
         .applies = strokes},
        [](auto& s) -> auto& { return s.data.images.test_images; }));
    add(plain(
        {.path  = "data.variation",
         .label = "Variation",
         .help =
             "Size of every random part of the hand: 0 draws each shape as it is printed, 1 is a person's hand, 2 is a scribble.",
         .min     = 0,
         .max     = 2,
         .applies = strokes},
        [](auto& s) -> auto& { return s.data.images.variation; }));

    add(plain(
        {.path  = "data.set",
         .label = "Data set",
         .help =
             "The name of a data set that is at hand (mnist, fashion-mnist, one that you imported, stroke-digits), or the path of a folder with the files of MNIST's "
             "layout, of CIFAR-10's folder, or of an .npz file with x_train, y_train, x_test and y_test. “credence data fetch mnist” downloads MNIST.",
         .applies = image_set},
        [](auto& s) -> auto& { return s.data.images.set; }));
    add(plain(
        {.path  = "data.only_classes",
         .label = "Only classes",
         .help =
             "Numbers of the classes that are kept, in training and test, counted from 0 and divided by commas; empty keeps all. Training on 0, 1, 2 and looking at the "
             "other digits shows what the net says of what it never saw (Hobbhahn 2020, Fig. 5.1).",
         .min     = 0,
         .max     = 99999,
         .applies = images},
        [](auto& s) -> auto& { return s.data.images.only_classes; }));
    add(plain(
        {.path  = "data.per_class",
         .label = "Training images a class",
         .unit  = "images",
         .help =
             "The first so many of each class are for training; 0 takes all. A few dozen make a problem in which the posterior stays wide.",
         .min     = 0,
         .max     = 1e7,
         .applies = image_set},
        [](auto& s) -> auto& { return s.data.images.per_class; }));
    add(plain(
        {.path     = "data.first_images",
         .label    = "First images",
         .unit     = "images",
         .help     = "The first so many training images are used; 0 takes all.",
         .min      = 0,
         .max      = 1e7,
         .advanced = true,
         .applies  = image_set},
        [](auto& s) -> auto& { return s.data.images.first_images; }));
    add(plain(
        {.path  = "data.exchanged",
         .label = "Exchange training and test",
         .help =
             "Trains on the test part and scores the training part: with MNIST 10,000 images to learn from and 60,000 to be tried on (Steinbrener et al. 2020, Table 2).",
         .applies = image_set},
        [](auto& s) -> auto& { return s.data.images.exchanged; }));
    add(plain(
        {.path  = "data.validation_images",
         .label = "Validation images",
         .unit  = "images",
         .help =
             "So many training images, at random by the split's seed, are kept from training and scored in place of the test images: for choosing settings without "
             "looking at the test set (Blundell et al. 2015: 10,000 of MNIST's 60,000). 0: the test images are scored.",
         .min      = 0,
         .max      = 1e7,
         .advanced = true,
         .applies  = images},
        [](auto& s) -> auto& { return s.data.images.validation_images; }));
    add(choice(
        {.path     = "data.pixels",
         .label    = "Pixels",
         .help     = "What the net sees of a pixel 0 to 255. Nothing else is done to the images.",
         .advanced = true,
         .applies  = images},
        [](auto& s) -> auto& { return s.data.images.pixels; }, scalings));
}

}   // namespace

void add_data_fields(std::vector<Field>& fields)
{
    const auto add = [&](Field field) { fields.push_back(std::move(field)); };

    add(choice(
        {.path  = "data.source",
         .label = "Data from",
         .help  = "Where the examples come from: a generator, your own hand, a table in a file, or images."},
        [](auto& s) -> auto& { return s.data.source; }, sources));
    add(choice(
        {.path  = "data.kind",
         .label = "Problem",
         .help =
             "Which toy problem the generator makes. Those with classes live in the plane, so that the decision map shows the whole input space; the "
             "curves have one input. The same options and data seed always give the same points.",
         .applies = toy},
        [](auto& s) -> auto& { return s.data.toy.kind; }, kinds));
    add(plain(
        {.path  = "data.n",
         .label = "Points n",
         .unit  = "points",
         .help =
             "How many examples are made, training and test together. More data narrows the posterior, since the KL term enters with weight 1/N beside "
             "the mean loss. Typical: 100 to 1,000.",
         .min     = 2,
         .max     = 1e6,
         .applies = toy},
        [](auto& s) -> auto& { return s.data.toy.n; }));
    add(plain(
        {.path  = "data.noise",
         .label = "Noise",
         .unit  = "data units",
         .help =
             "Standard deviation of the noise added to the points (classes) or to y (curves). Moons: 0.1 touches hardly, 0.3 overlaps. For Blundell's "
             "curve it is the number 0.02 of ε ~ N(0, 0.02) in y = x + 0.3 sin 2π(x+ε) + 0.3 sin 4π(x+ε) + ε (Blundell et al. 2015, section 5.2).",
         .min     = 0,
         .max     = 100,
         .applies = toy},
        [](auto& s) -> auto& { return s.data.toy.noise; }));
    add(choice(
        {.path  = "data.curve_noise",
         .label = "Noise is a",
         .help =
             "How the 0.02 in ε ~ N(0, 0.02) is read. The paper writes variances elsewhere (Blundell et al. 2015, (7)), but with variance 0.02 the noise "
             "explains more than the curve, so the standard deviation is the default.",
         .advanced = true,
         .applies  = curve},
        [](auto& s) -> auto& { return s.data.toy.curve_noise; }, curve_noises));
    add(plain(
        {.path  = "data.class_ratio",
         .label = "Share of class 0",
         .help =
             "Which part of the points belongs to the first class; 0.5 is balanced. Far from it, the net may score well by ignoring the rare class: look at "
             "the confusion matrix.",
         .min      = 0,
         .max      = 1,
         .min_open = true,
         .max_open = true,
         .advanced = true,
         .applies  = two_classes},
        [](auto& s) -> auto& { return s.data.toy.class_ratio; }));
    add(plain(
        {.path  = "data.classes",
         .label = "Classes K",
         .help =
             "Number of clouds or arms. The greatest predictive entropy is ln K nats: 0.69 for two classes, 1.39 for four.",
         .min     = 2,
         .max     = 20,
         .applies = many_classes},
        [](auto& s) -> auto& { return s.data.toy.classes; }));
    add(plain(
        {.path  = "data.seed",
         .label = "Data seed",
         .help =
             "Names the random numbers of the generator. Another seed is another sample from the same problem; it shows how much of a picture is chance.",
         .min      = 0,
         .max      = 9007199254740991.0,
         .advanced = true,
         .applies  = [](const Study& s) { return toy(s) || strokes(s); }},
        [](auto& s) -> auto& { return s.data.toy.seed; }));
    add_image_fields(fields);

    add(choice(
        {.path    = "data.drawn_task",
         .label   = "Points are",
         .help    = "Whether the points drawn by hand carry a class or are samples of a curve.",
         .applies = [](const Study& s) { return s.data.source == DataSource::drawn; }},
        [](auto& s) -> auto& { return s.data.drawn_task; }, tasks));

    add(plain(
        {.path  = "data.file",
         .label = "File",
         .help =
             "A text table: one example a line, columns divided by a comma, semicolon, tab, blank or bar. Columns of words become one-hot inputs, and ? is a "
             "value of its own. A relative path counts from the folder of the study's file.",
         .applies = csv},
        [](auto& s) -> auto& { return s.data.file; }));
    add(plain(
        {.path  = "data.target",
         .label = "Target column",
         .help =
             "What is to be predicted: the name of a column or its number, counted from 1. Empty takes the last column.",
         .applies = csv},
        [](auto& s) -> auto& { return s.data.csv.target; }));
    add(choice(
        {.path    = "data.task",
         .label   = "Target is",
         .help    = "Whether the target names a class or is a quantity. Found from the column unless you say so.",
         .applies = csv},
        [](auto& s) -> auto& { return s.data.csv.task; }, table_tasks));
    add(finish(
        {.path  = "data.columns",
         .label = "Input columns",
         .help =
             "Names or numbers of the columns used as inputs, divided by commas; a name that holds a comma stands in double quotes. Empty takes all "
             "columns but the target.",
         .advanced = true,
         .applies  = csv},
        [](const Study& s) { return FieldValue{joined(s.data.csv.columns)}; },
        [](Study& s, const FieldValue& v) { s.data.csv.columns = divided(std::get<std::string>(v)); }));
    add(choice(
        {.path     = "data.header",
         .label    = "Header",
         .help     = "Whether the first line holds the names of the columns.",
         .advanced = true,
         .applies  = csv},
        [](auto& s) -> auto& { return s.data.csv.header; }, headers));
    add(choice(
        {.path     = "data.separator",
         .label    = "Separator",
         .help     = "The sign that stands between two columns.",
         .advanced = true,
         .applies  = csv},
        [](auto& s) -> auto& { return s.data.csv.separator; }, separators));
    add(plain(
        {.path     = "data.decimal_comma",
         .label    = "Decimal comma",
         .help     = "Reads 1,5 as one and a half. Needs another separator than the comma.",
         .advanced = true,
         .applies  = csv},
        [](auto& s) -> auto& { return s.data.csv.decimal_comma; }));

    add(plain(
        {.path  = "split.test_fraction",
         .label = "Test share",
         .help =
             "Which part of the points is kept away from training and used for the scores only. A fifth is usual; 0 trains on everything, and the scores "
             "then describe the training set.",
         .min      = 0,
         .max      = 1,
         .max_open = true,
         .applies  = not_images},
        [](auto& s) -> auto& { return s.split.test_fraction; }));
    add(plain(
        {.path  = "split.seed",
         .label = "Split seed",
         .help =
             "Names the random choice of the test points. Change it to see how much a score depends on which points were kept back.",
         .min      = 0,
         .max      = 9007199254740991.0,
         .advanced = true,
         .applies  = [](const Study& s) { return not_images(s) || s.data.images.validation_images > 0; }},
        [](auto& s) -> auto& { return s.split.seed; }));
    add(plain(
        {.path  = "split.standardise_inputs",
         .label = "Standardise inputs",
         .help =
             "The net sees z = (x − mean) / sd of each input, both taken from the training part. Nets and priors expect numbers of size 1; switch it off only "
             "to see what happens then.",
         .advanced = true,
         .applies  = not_images},
        [](auto& s) -> auto& { return s.split.standardise_inputs; }));
    add(plain(
        {.path  = "split.standardise_targets",
         .label = "Standardise targets",
         .help =
             "Regression: the net learns (y − mean) / sd of the training targets; predictions and the noise level stay in the units of y. Useful when y is "
             "far from size 1.",
         .advanced = true,
         .applies  = regression_data},
        [](auto& s) -> auto& { return s.split.standardise_targets; }));
}

}   // namespace credence::field_makers
